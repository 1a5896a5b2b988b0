import type { ToolResult } from "../../core/contracts/tool.ts";
import type { ToolInput } from "../../core/events/payloads.ts";
import { boundedResult, isResult, noResult } from "../tool-calls/tool-answer.ts";

/** A result that came after its call had been answered. */
export interface LateResult {
  readonly tool_name: string;
  readonly tool_use_id: string;
  readonly tool_input: ToolInput;
  readonly result: ToolResult;
  /** True when its process ended before it did: what it came to is not known. */
  readonly cut_off?: true;
  /** The subagent that began it, when that has answered since. */
  readonly agent_id?: string;
}

/** A call by its id, and whose it is: two agents may give the same. */
type Caller = { readonly agent_id: string; readonly tool_use_id: string };

/** Work of tools that goes on beside the loop. */
export interface BackgroundWork {
  /** What is done and has not been told to the model. */
  readonly done: LateResult[];
  /** The calls whose work this process began. */
  readonly begun: Set<string>;
  /** Whoever hears of it in the place of an agent that has ended. */
  heir: BackgroundWork | undefined;
}

/** Nothing going on. */
export function noBackgroundWork(): BackgroundWork {
  return { done: [], begun: new Set(), heir: undefined };
}

/** Remembers a call whose work goes on. Answers the function that takes what came of it to whoever is to hear of it. */
export function beginWork(
  background: BackgroundWork,
  agent_id: string,
  call: Omit<LateResult, "result">,
): (given: unknown) => void {
  background.begun.add(keyOf({ ...call, agent_id }));
  return (given) => {
    const hearer = hearerOf(background);
    const result = isResult(given) ? boundedResult(given) : noResult(call.tool_name);
    hearer.done.push({ ...call, result, ...(hearer === background ? {} : { agent_id }) });
  };
}

/** True when this process began the work of a call, and delivers what comes of it. */
export function hasBegun({ begun }: BackgroundWork, call: Caller): boolean {
  return begun.has(keyOf(call));
}

/** Has the parent of an agent that has ended hear what it did not: nobody else would. */
export function handOn(background: BackgroundWork, agent_id: string, heir: BackgroundWork): void {
  background.heir = heir;
  for (const key of background.begun) heir.begun.add(key);
  // Of what an earlier process began, its own transcript tells it the next time.
  for (const late of background.done.splice(0))
    if (late.cut_off !== true) hearerOf(heir).done.push({ agent_id, ...late });
}

function hearerOf(background: BackgroundWork): BackgroundWork {
  let hearer = background;
  while (hearer.heir !== undefined) hearer = hearer.heir;
  return hearer;
}

function keyOf({ agent_id, tool_use_id }: Caller): string {
  return JSON.stringify([agent_id, tool_use_id]);
}
