/** The engine's turn carried out by the simulated hand, from wherever the board stands. */

import { carryOut, letGo } from "./hand.js";
import { ask } from "./live.js";
import { on, state } from "./state.js";

/** The turn to carry out as soon as the board is right; empty if there is none. */
let waits = "";

/** Carry out the engine's turn; what is no part of it is put right first. */
export function carryOutAnyway() {
  const { plan, state: now } = state.now;
  if (["rest", "under-way", "complete"].includes(now)) return carryOut(plan);
  letGo();
  waits = ask({ do: "mishap", what: "tidy" }) ? plan : "";
}

function goOn() {
  if (!waits || state.now.state !== "rest") return;
  const turn = waits;
  waits = "";
  if (state.now.plan === turn) carryOut(turn);
}

on("now", goOn);
on("story table refusal", () => (waits = ""));
