// A strip of WS2812 on D13 (PB5), and the picture painted for it.
#pragma once

#include <stdint.h>

#ifndef PIXELS
#define PIXELS 66
#endif

void lights_open(void);

// Put `count` colours of red, green, blue into the picture, the first of them at pixel `first`; all must lie on the strip.
void lights_paint(uint16_t first, const uint8_t *colours, uint8_t count);

// The crc of the whole picture as painted.
uint16_t lights_crc(void);

// Send the picture, or one colour for all. Interrupts are off meanwhile, 30 us a pixel.
void lights_show(void);
void lights_fill(uint8_t red, uint8_t green, uint8_t blue);
