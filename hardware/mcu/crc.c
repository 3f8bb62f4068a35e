#include "crc.h"

#define MIXED(i) ((i) ^ (i) >> 4)
#define HIGH(i) (uint8_t)(MIXED(i) << 4 ^ MIXED(i) >> 3)
#define LOW(i) (uint8_t)(MIXED(i) << 5 ^ MIXED(i))

#define FOUR(of, i) of(i), of((i) + 1), of((i) + 2), of((i) + 3)
#define SIXTEEN(of, i) FOUR(of, i), FOUR(of, (i) + 4), FOUR(of, (i) + 8), FOUR(of, (i) + 12)
#define SIXTY_FOUR(of, i) SIXTEEN(of, i), SIXTEEN(of, (i) + 16), SIXTEEN(of, (i) + 32), SIXTEEN(of, (i) + 48)
#define ALL(of) SIXTY_FOUR(of, 0), SIXTY_FOUR(of, 64), SIXTY_FOUR(of, 128), SIXTY_FOUR(of, 192)

const uint8_t crc_table[2][256] PROGMEM __attribute__((aligned(256), externally_visible)) = {{ALL(HIGH)}, {ALL(LOW)}};
