import { systemClock } from "../../../../core/base/clock.ts";
import { isRecord } from "../../../../core/base/json.ts";
import type { Decision, HookRun } from "../../../../core/decide/decision.ts";
import { assumedRow, EVENTS } from "../../../../core/events/event-table.ts";
import type { AnyEvent } from "../../../../core/events/payloads.ts";
import { toolOf } from "../../../../core/match/tool-names.ts";
import type { Ports } from "../../../../core/ports.ts";
import type { Hook } from "../../../../core/registration/hook.ts";
import { type Compared, compileMatcher, MATCHER_FIELDS } from "../../../../core/registration/matcher.ts";
import { ruleConditions } from "../../../../handlers/conditions.ts";
import { nodePaths, nodeRulePorts } from "../../../../node/ports.ts";
import { linearRegex } from "../../../../node/regex.ts";
import { readShell } from "../../../../rules/fields/shell-text.ts";
import { cut } from "../../../command-line/screen/text.ts";

export interface Why {
  readonly matched: boolean;
  readonly why: string;
}

/** Follows the reason of an untrusted hook. */
export const NOT_RUN = "; it is not trusted, so it was not run";

/** The commands of a shell line, which core can't read. */
const COMMANDS: Compared = { noun: "command", read: (event) => readShell(event).texts };

/** Says whether a hook matches an event, and because of which matcher field. Asks the engine's own matcher. */
export async function whyMatched(hook: Hook, event: AnyEvent, ports: Ports): Promise<Why> {
  const name = event.hook_event_name;
  if (!hook.enabled) return { matched: false, why: "it is off" };
  if (!hook.events.includes(name))
    return { matched: false, why: `events: ${name} is not ${hook.events.join("|")}` };
  const fitting: string[] = [];
  for (const [field, value] of Object.entries(hook.matcher)) {
    if (value === undefined) continue;
    const result = await checkField(field, value, event, ports);
    if (!result.matched) return result;
    fitting.push(result.why);
  }
  return { matched: true, why: fitting.length === 0 ? `it wants every ${name}` : fitting.join("; ") };
}

async function checkField(field: string, value: unknown, event: AnyEvent, ports: Ports): Promise<Why> {
  const compiled = compileMatcher({ [field]: value }, field, ports, assumedRow);
  try {
    await compiled.ready;
    const tool = toolOf(event);
    const matched =
      (compiled.tool === undefined || (tool !== undefined && compiled.tool(tool))) &&
      (compiled.test === undefined || compiled.test(event));
    return { matched, why: `${field}: ${sentence(field, value, event, matched)}` };
  } catch (error) {
    // The engine treats a matcher that throws as a failure of its hook.
    return {
      matched: true,
      why: `${field}: it can't be asked (${error instanceof Error ? error.message : error})`,
    };
  }
}

function sentence(field: string, value: unknown, event: AnyEvent, matched: boolean): string {
  if (field === "hook_turns")
    return event.is_hook_input_turn === true ? "a hook started this turn" : "no hook started this turn";
  const row = Object.entries(MATCHER_FIELDS).find(([name]) => name === field)?.[1];
  const compared = field === "command_patterns" ? COMMANDS : row?.compared;
  if (compared === undefined) {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `${cut(text, 60)} ${matched ? "holds" : "does not hold"}`;
  }
  const values = compared.read(event, assumedRow).filter((text) => typeof text === "string" && text !== "");
  if (values.length === 0) return `the event names no ${compared.noun}`;
  const wanted = [value].flat().join("|");
  return `${cut(values.join(", "), 60)} ${matched ? "fits" : "is not"} ${cut(wanted, 80)}`;
}

/** The event after the rewrites, also when they were refused. */
export function rewrittenEvent(event: AnyEvent, { runs }: Decision): AnyEvent {
  const last = runs.findLast(({ input_after }) => input_after !== undefined)?.input_after;
  if (typeof last === "string") return { ...event, prompt: last };
  return isRecord(last) ? { ...event, tool_input: last } : event;
}

/** Why a hook was asked when the input was rewritten: it may match only before, or only after. */
export function whyInTheEnd(before: Why, after: Why, run: HookRun | undefined): Why {
  if (run === undefined)
    return before.matched && !after.matched
      ? { matched: false, why: `it does not fit the rewritten input (${after.why})` }
      : before;
  const asked =
    run.recheck === true ? "asked again about the rewritten input" : "asked about the rewritten input";
  if (before.matched)
    return run.recheck === true ? { matched: true, why: `${before.why}; ${asked}` } : before;
  return { matched: true, why: after.matched ? `${asked} (${after.why})` : asked };
}

/** The ports that a hook set gives its matchers. */
export function matcherPorts(): Ports {
  return {
    clock: systemClock,
    newId: () => "",
    paths: nodePaths,
    regex: linearRegex,
    conditions: ruleConditions(nodeRulePorts),
  };
}

export const EVENTS_HINT = `Events: ${Object.keys(EVENTS).join(", ")}.`;
