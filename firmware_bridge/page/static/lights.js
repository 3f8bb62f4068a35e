/** The lights of the table as numbers: the same formula as palette.py and power.py. Nothing here touches a page. */

const STEADY = { period: 1, levels: [1] };
const BLACK = [0, 0, 0];

/** The strength (0..1) of `rhythm` at `t` seconds. */
export function strength(rhythm, t) {
  const { period, levels } = rhythm;
  const into = ((t % period) + period) % period;
  return levels[Math.min(levels.length - 1, Math.floor((into / period) * levels.length))];
}

/** The highest strength (0..1) that `rhythm` reaches, for readers who want no motion. */
export function strongest(rhythm) {
  return Math.max(...rhythm.levels);
}

/**
 * The picture that the lights show at `t` seconds of the table's clock: red, green and blue, 0-255, for each site
 * that has a cue (all others are dark), and for the two turn lamps.
 * `now` and `lights` are as the server sends them. `level` is `strength`, or `strongest` for a picture that stands.
 */
export function picture(now, lights, t, level = strength) {
  const sites = {};
  for (const [site, cue] of Object.entries(now.cues)) sites[site] = light(cue, lights, t, level);
  const lamp = scaled(lights.colours.turn, 0.4 * (lights.brightness / 255));
  const lamps = [now.side === 0 ? lamp : BLACK, now.side === 1 ? lamp : BLACK];
  return within({ sites, lamps }, lights);
}

function light(cue, lights, t, level) {
  const rhythm = lights.rhythms[cue.kind] ?? STEADY;
  const choice = cue.choice ? level(lights.rhythms.choice, t) : 1;
  const by = level(rhythm, t - cue.phase) * cue.strength * choice;
  return scaled(colour(cue, lights), by * (lights.brightness / 255));
}

function colour(cue, lights) {
  const spoken = lights.spoken.includes(cue.kind) && (cue.level === 1 || cue.level === 2);
  if (spoken) return lights.colours[cue.level === 1 ? "dark" : "light"];
  return lights.colours[cue.kind] ?? lights.colours.turn;
}

function scaled(colour, by) {
  return colour.map((channel) => Math.ceil(channel * by));
}

/** The picture, scaled down as a whole if it would draw more than the supply gives (mA). */
function within(shown, lights) {
  const idle = lights.controller + lights.dark * lights.pixels;
  const all = [...Object.values(shown.sites), ...shown.lamps];
  const sum = all.reduce((total, [red, green, blue]) => total + red + green + blue, 0);
  const drawn = idle + (sum * lights.white) / 765 - idle;
  const spare = Math.max(0, lights.supply - idle);
  if (drawn <= spare) return shown;
  return dimmed(shown, spare / drawn);
}

function dimmed(shown, by) {
  const dim = (colour) => colour.map((channel) => Math.trunc(channel * by));
  const sites = Object.fromEntries(Object.entries(shown.sites).map(([site, colour]) => [site, dim(colour)]));
  return { sites, lamps: shown.lamps.map(dim) };
}

/** Whether the picture changes with time. */
export function alive(now, lights) {
  const moves = (rhythm) => Boolean(rhythm) && rhythm.levels.some((level) => level !== rhythm.levels[0]);
  return Object.values(now.cues).some((cue) => cue.choice || moves(lights.rhythms[cue.kind]));
}
