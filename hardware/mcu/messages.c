#include "messages.h"

#include "breath.h"
#include "clock.h"
#include "crc.h"
#include "frame.h"
#include "lights.h"
#include "line.h"
#include "reset.h"
#include "table.h"

enum { VERSION = 2 };
enum { ASK = 1, LOOK, PAINT, SHOW, BEAT, REST };
enum { HELLO = 0x81, SNAPSHOT, EVENT, BEAT_BACK, DONE, REFUSED };
enum { ACCEPTED, UNKNOWN_KIND, WRONG_LENGTH, BEYOND_STRIP, ANOTHER_PICTURE, OTHER_VERSION };

enum { COLOUR_BYTES = 3, MOST_COLOURS = 16 };
enum { EVENT_BYTES = 14, ANSWER_BYTES = LONGEST + 1 };

static uint16_t events;
static bool counting;
static bool owed; // an event could not be told

// What the board says ------------------------------------------------------------------------

void tell_hello(void) {
    frame_begin(HELLO);
    frame_u8(VERSION);
    frame_u8(reset_cause());
    frame_u8(SENSE);
    frame_u16(CHANNELS);
    frame_u16(PIXELS);
    frame_u8(BUTTONS);
    frame_u32(clock_ms());
    frame_send();
}

static bool tell_snapshot(void) {
    frame_begin(SNAPSHOT);
    frame_u32(clock_ms());
    frame_u16(events);
    frame_u8(table_pressed());
    for (uint8_t i = 0; i != LEVEL_BYTES; i++) frame_u8(table_levels(i));
    return frame_send();
}

// An answer must always find room, so events leave some; and after one that was not told no other is before the snapshot.
void tell_event(uint8_t channel, uint8_t level) {
    if (!counting) return;
    events++;
    if (owed || line_room() < EVENT_BYTES + ANSWER_BYTES) {
        owed = true;
        return;
    }
    frame_begin(EVENT);
    frame_u16(events);
    frame_u32(clock_ms());
    frame_u8(channel);
    frame_u8(level);
    frame_send();
}

void tell_owed(void) {
    if (owed && line_room() >= 2 * ANSWER_BYTES) owed = !tell_snapshot();
}

void count_events(void) {
    counting = true;
}

static uint16_t state_crc(void) {
    uint16_t crc = crc_of(CRC_START, table_pressed());
    for (uint8_t i = 0; i != LEVEL_BYTES; i++) crc = crc_of(crc, table_levels(i));
    return crc;
}

void tell_beat(void) {
    frame_begin(BEAT_BACK);
    frame_u32(clock_ms());
    frame_u16(events);
    frame_u16(state_crc());
    frame_send();
}

// What it is asked ---------------------------------------------------------------------------

static void conclude(uint8_t number, uint8_t why) {
    frame_begin(why ? REFUSED : DONE);
    frame_u8(number);
    if (why) frame_u8(why);
    frame_send();
}

// Where all is well there is nothing to say: what the program has painted is checked when it is to be shown.
static void follow(uint8_t number, uint8_t why) {
    if (why) conclude(number, why);
}

static uint16_t u16_at(const uint8_t *bytes) {
    return bytes[0] | bytes[1] << 8;
}

static uint8_t paint(const uint8_t *body, uint8_t length) {
    uint8_t colours = (length - 2) / COLOUR_BYTES;
    if (length < 2 + COLOUR_BYTES || (length - 2) % COLOUR_BYTES || colours > MOST_COLOURS) return WRONG_LENGTH;
    uint16_t first = u16_at(body);
    if (first > PIXELS - 1 || colours > PIXELS - first) return BEYOND_STRIP;
    lights_paint(first, body + 2, colours);
    return ACCEPTED;
}

static uint8_t show(const uint8_t *body) {
    if (u16_at(body) != lights_crc()) return ANOTHER_PICTURE;
    lights_show();
    return ACCEPTED;
}

// Whether a body of `length` bytes goes with `kind`; PAINT sees to its own.
static uint8_t unfit(uint8_t kind, uint8_t length) {
    if (kind < ASK || kind > REST) return UNKNOWN_KIND;
    if (kind == PAINT) return ACCEPTED;
    uint8_t due = kind == ASK ? 1 : kind == SHOW ? 2 : 0;
    return length == due ? ACCEPTED : WRONG_LENGTH;
}

static void obey(uint8_t kind, uint8_t number, const uint8_t *body, uint8_t length) {
    uint8_t why = unfit(kind, length);
    if (!why && kind == ASK && body[0] != VERSION) why = OTHER_VERSION;
    if (why) conclude(number, why);
    else if (kind == ASK) tell_hello();
    else if (kind == LOOK) owed = !tell_snapshot();
    else if (kind == PAINT) follow(number, paint(body, length));
    else if (kind == SHOW) conclude(number, show(body));
    else if (kind == REST) {
        breath_rest();
        conclude(number, ACCEPTED);
    }
}

void hear(void) {
    uint8_t length;
    if (line_room() < ANSWER_BYTES) return;
    const uint8_t *frame = frame_take(&length);
    if (!length) return;
    breath_end();
    obey(frame[0], frame[1], frame + 2, length - 2);
}
