// Amber light that swells and fades while the program is not heard.
#pragma once

// Breathe where the program has been silent for 1.5 s; call it often.
void breath_go_on(void);

// The program is there: show its picture again, if the lights were breathing.
void breath_end(void);

// The program has said good-bye: leave the lights as they are until it is heard again.
void breath_rest(void);
