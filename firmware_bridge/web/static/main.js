/**
 * The page of the table. Order matters a little: what hears of a change first has drawn first.
 *
 * What can be read off the document, by tests for one:
 * - body: data-connected "yes" or "no"; data-game, empty while a game is being chosen; data-state, the state of `now`
 * - each site of the board: data-site; data-level, empty where the sensors cannot tell; data-cue, empty where there is
 *   none; data-light "r,g,b" as picture() in lights.js has it, empty where it is dark
 * - data-store on stores, data-supply on trays, data-press, data-mishap, data-look, data-hand on buttons, data-turn on
 *   turns, data-name on sentences
 */

import "./shown.js";
import "./hand.js";
import "./board.js";
import "./lights.js";
import "./legend.js";
import "./input.js";
import "./effects.js";
import "./motion.js";
import "./handbar.js";
import "./head.js";
import "./clocks.js";
import "./standing.js";
import "./start.js";
import "./panel.js";
import "./scrub.js";
import "./story.js";
import "./later.js";
import "./exchange.js";
import "./guide.js";
import "./dialogs.js";
import "./scrolling.js";
import "./device.js";
import "./turning.js";
import "./seats.js";
import { connect, takeToken } from "./live.js";

takeToken();
connect();
