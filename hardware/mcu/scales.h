// Twelve HX711 on one clock line.
#pragma once

void scales_open(void);

// Read and tell all scales where they are ready, ten times a second; call it often.
void scales_watch(void);
