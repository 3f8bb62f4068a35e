#include "breath.h"

#include <stdbool.h>
#include <stdint.h>

#include "clock.h"
#include "lights.h"

enum { SILENCE_MS = 1500, STEP_MS = 50, STEPS = 64 };

static uint32_t heard;
static uint32_t stepped;
static bool breathing;
static bool resting;
static uint8_t step;

// No power budget of the program reaches this light, so a longer strip is dimmed: by the estimate of docs/building.md all lights
// together draw 340 mA, and 1 mA each when dark.
static uint8_t dimmed(uint8_t level) {
    return PIXELS > 66 ? level * 66UL / PIXELS : level;
}

// Up and down again in 3.2 s.
static void show_step(void) {
    uint8_t swell = step < STEPS / 2 ? step : STEPS - 1 - step;
    lights_fill(dimmed(8 + swell + swell / 2), dimmed(3 + swell / 2), 0);
    step = (step + 1) % STEPS;
}

void breath_go_on(void) {
    uint32_t now = clock_ms();
    if (resting || now - heard < SILENCE_MS || now - stepped < STEP_MS) return;
    if (!breathing) step = 0;
    breathing = true;
    stepped = now;
    show_step();
}

void breath_end(void) {
    heard = clock_ms();
    resting = false;
    if (!breathing) return;
    breathing = false;
    lights_show();
}

void breath_rest(void) {
    resting = true;
}
