// Eight contacts that must hold still before they count.
#pragma once

#include <stdint.h>

enum { SAMPLES = 5 };

typedef struct {
    uint8_t settled;    // a bit a contact
    uint8_t count[3];   // how many samples have differed from it, a bit of each contact's number in each byte
} contacts;

// Take a sample, a bit a contact. Returns the contacts that have just settled anew: those that differed in SAMPLES samples on end.
uint8_t debounce(contacts *eight, uint8_t sample);
