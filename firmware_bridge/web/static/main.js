/** The page of the table. Order matters a little: what hears of a change first has drawn first. */

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
