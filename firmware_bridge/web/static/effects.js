/**
 * What moves, sounds and shakes: pieces that slide to where they come to lie, a hand that is nobody's, knocks on wood.
 * All of it is off at a word, which this browser keeps; nothing moves for readers who want no motion.
 */

import { element, find, refill, made } from "./elements.js";
import { on } from "./state.js";
import { text } from "./words.js";

const LEVELS = /** @type {const} */ (["all", "motion", "none"]);
const still = matchMedia("(prefers-reduced-motion: reduce)");
/** @type {typeof LEVELS[number]} */
let level = recall();

function recall() {
  try {
    return LEVELS.find((each) => each === localStorage.getItem("effects")) ?? "all";
  } catch {
    return "all"; // a browser that keeps nothing
  }
}

/** Whether anything may move. */
export function moves() {
  return level !== "none" && !still.matches && !document.hidden;
}

// Sound: made of noise and tones, for there are no files -------------------------------------------------

/** Seconds that a knock lasts, its pitch in hertz, and how loud it is (0..1); chosen by ear. */
const KNOCKS = {
  put: [0.07, 900, 0.5],
  lift: [0.04, 1500, 0.14],
  seed: [0.05, 2300, 0.3],
  take: [0.12, 420, 0.5],
  wrong: [0.22, 150, 0.5],
};
/** The notes of a win, in hertz: a chord, broken. */
const CHORD = [392, 494, 587, 784];
/** Milliseconds of shaking. */
const SHAKES = { put: 12, lift: 6, seed: 6, take: 24, wrong: 60 };

/** @type {AudioContext | null} */
let audio = null;
/** @type {AudioBuffer | null} */
let noise = null;

/** Milliseconds for which a knock that nothing could sound yet is still heard late; a guess. */
const LATE = 500;
/** @type {{ kind: keyof typeof KNOCKS, at: number } | null} */
let missed = null;

/** Browsers let a page sound once somebody has touched it. */
function waken() {
  if (level !== "all" || audio || !("AudioContext" in window)) return;
  audio = new AudioContext();
  noise = audio.createBuffer(1, audio.sampleRate / 4, audio.sampleRate);
  const samples = noise.getChannelData(0);
  for (let place = 0; place < samples.length; place += 1) samples[place] = Math.random() * 2 - 1;
  if (missed && performance.now() - missed.at < LATE) knock(missed.kind);
}

/**
 * Let a piece be heard, and felt where a device shakes.
 * @param {keyof typeof KNOCKS} kind
 */
export function knock(kind) {
  if (level !== "all" || document.hidden) return;
  if (!audio || !noise) return void (missed = { kind, at: performance.now() });
  const [lasts, pitch, loud] = KNOCKS[kind];
  const source = new AudioBufferSourceNode(audio, { buffer: noise });
  const wood = new BiquadFilterNode(audio, { type: "bandpass", frequency: pitch, Q: 4 });
  source.connect(wood).connect(fading(audio, loud, lasts));
  source.start(audio.currentTime, 0, lasts);
  navigator.vibrate?.(SHAKES[kind]);
}

/** Let a win be heard. */
export function fanfare() {
  if (level !== "all" || !audio || document.hidden) return;
  for (const [place, frequency] of CHORD.entries()) {
    const tone = new OscillatorNode(audio, { type: "triangle", frequency });
    const from = audio.currentTime + place * 0.12;
    tone.connect(fading(audio, 0.2, 0.7, from));
    tone.start(from);
    tone.stop(from + 0.7);
  }
}

/**
 * What follows is heard with this loudness, and dies away.
 * @param {AudioContext} context
 * @param {number} loud
 * @param {number} lasts
 * @param {number} from
 */
function fading(context, loud, lasts, from = context.currentTime) {
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(loud, from);
  gain.gain.exponentialRampToValueAtTime(0.001, from + lasts);
  gain.connect(context.destination);
  return gain;
}

// The word that turns it off ----------------------------------------------------------------------------

function offer() {
  const list = find("#effects", HTMLSelectElement);
  refill(list, ...LEVELS.map((each) => made("option", { value: each }, text(`effects-${each}`))));
  list.value = level;
}

/** @param {Event} event */
function choose({ target }) {
  level = LEVELS.find((each) => target instanceof HTMLSelectElement && each === target.value) ?? level;
  try {
    localStorage.setItem("effects", level);
  } catch {
    // for as long as the page is open, then
  }
}

element("effects").addEventListener("change", choose);
// Once a finger is up: it takes up to a fifth of a second, and light is to answer when it is down.
for (const press of ["pointerup", "keyup"]) addEventListener(press, waken, true);
on("page", offer);
