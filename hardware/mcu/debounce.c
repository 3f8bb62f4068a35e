#include "debounce.h"

// Eight counters side by side: count[0] has the ones, count[1] the twos, count[2] the fours.
static void count_up(uint8_t *count, uint8_t which) {
    uint8_t twos = count[0] & which;
    uint8_t fours = count[1] & twos;
    count[0] = (count[0] ^ which) & which;
    count[1] = (count[1] ^ twos) & which;
    count[2] = (count[2] ^ fours) & which;
}

uint8_t debounce(contacts *eight, uint8_t sample) {
    uint8_t differing = sample ^ eight->settled;
    count_up(eight->count, differing);
    uint8_t anew = eight->count[0] & ~eight->count[1] & eight->count[2]; // 5: SAMPLES
    eight->settled ^= anew;
    for (uint8_t i = 0; i < 3; i++) eight->count[i] &= ~anew;
    return anew;
}
