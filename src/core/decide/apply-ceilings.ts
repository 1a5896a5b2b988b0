import {
  type Ceiling,
  countStop,
  grantHookTurns,
  keepGoingCeiling,
  retryCeiling,
} from "../session/ceilings.ts";
import type { Pass } from "./run-plan.ts";

/** Takes back what hooks want beyond a ceiling, and says which: the user sees why, and an Error event is to record it. */
export function applyCeilings(pass: Pass): Ceiling | undefined {
  const { scope, tally } = pass;
  const { agent, limits, known } = scope;
  const now = scope.reading;
  let ceiling: Ceiling | undefined;
  if (tally.keepGoing.length === 0) countStop(agent, known);
  else {
    const { sees_tool_calls = false } = scope.options;
    const wanted = { event: pass.event, reason: tally.keepGoing.join("\n"), sees_tool_calls };
    ceiling = keepGoingCeiling(agent, wanted, limits, now);
    if (ceiling !== undefined) tally.keepGoing = [];
  }
  if (tally.retry !== undefined) {
    ceiling = retryCeiling(agent, limits);
    if (ceiling !== undefined) tally.retry = undefined;
  }
  if (known.row.starts_turns === true && tally.hookInputs.length > 0) {
    const grant = grantHookTurns(agent, tally.hookInputs.length, limits, now);
    tally.hookInputs = tally.hookInputs.slice(0, grant.granted);
    ceiling = grant.ceiling;
  }
  if (ceiling !== undefined) {
    tally.userMessages.push({
      text: `Hooks may not go on: ${ceiling.message}`,
      level: "warning",
      hook: "tenterhook",
    });
  }
  return ceiling;
}
