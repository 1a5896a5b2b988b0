// Shadow hooks only watch, so nobody waits for them, however slow they are.
import { setTimeout } from "node:timers/promises";
import { createHooks } from "tenterhook";
import { inTurns } from "./measure.mjs";

const DECISIONS = 500;
const ROUNDS = 9;
const SHADOWS = 5;

/** Milliseconds for decisions that take about a millisecond each, next to so many shadow hooks that take fifty. */
async function deciding(/** @type {number} */ shadows) {
  const hooks = createHooks();
  hooks.on("PreToolUse", { name: "real" }, () => setTimeout(1));
  for (let at = 0; at < shadows; at += 1)
    hooks.on("PreToolUse", { name: `shadow-${at}`, mode: "shadow" }, () => setTimeout(50));
  const start = performance.now();
  for (let at = 0; at < DECISIONS; at += 1)
    await hooks.fire({
      hook_event_name: "PreToolUse",
      session_id: "session",
      cwd: "/project",
      tool_name: "Bash",
      tool_input: { command: `npm test ${at}` },
      tool_use_id: `call-${at}`,
    });
  const milliseconds = performance.now() - start;
  await hooks.close();
  return milliseconds;
}

/** @type {readonly import("./benchmark.mjs").Benchmark[]} */
export default [
  {
    name: `${DECISIONS} decisions with ${SHADOWS} slow shadow hooks`,
    against: "the same without shadow hooks",
    bound: 1.2,
    measure: () =>
      inTurns(
        ROUNDS,
        () => deciding(SHADOWS),
        () => deciding(0),
      ),
  },
];
