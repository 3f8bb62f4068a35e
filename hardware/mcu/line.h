// The serial line, byte by byte.
#pragma once

#include <stdbool.h>
#include <stdint.h>

void line_open(void);

// Whether there is a byte for line_take. 255 find room until it is taken, further ones are lost.
bool line_waits(void);
uint8_t line_take(void);

// How many bytes line_put takes now; it must not be given more.
uint8_t line_room(void);
void line_put(uint8_t byte);
