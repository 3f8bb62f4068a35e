// The serial line: whole frames in, bytes out.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// A frame on the line without its zero.
enum { LONGEST = 69 };

void line_open(void);

// The frame that has come in, or NULL. It stays until line_release; one more may come in meanwhile, further ones are lost.
uint8_t *line_frame(uint8_t *length);
void line_release(void);

// How many bytes line_put takes now; it must not be given more.
uint8_t line_room(void);
void line_put(uint8_t byte);
