import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { adapterOf } from "../../adapters/agents.ts";
import { errorMessage } from "../../core/base/error-text.ts";
import { isRecord, withoutUndefined } from "../../core/base/json.ts";
import type { Tried, TriedHooks } from "../tried-hooks.ts";
import { type Actual, type AskedHook, actualOf, askedHooks } from "./actual.ts";
import type { Step, TestCase } from "./case-file.ts";
import type { Expected } from "./case-schema.ts";
import { type Difference, differences } from "./compare.ts";

export interface CaseResult {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  /** `not_evaluated`: it depends on hooks that were not asked, or expects nothing. */
  readonly status: "passed" | "failed" | "not_evaluated";
  /** Of the step that failed, or of the last one. */
  readonly expected?: Expected;
  readonly actual?: Actual;
  readonly hooks: readonly AskedHook[];
  readonly differences: readonly Difference[];
  /** Why the case could not be carried out or compared. */
  readonly problem?: string;
}

/** Carries out a case in a session of its own. Events that name no folder are in `cwd`. Never throws for what is in it. */
export async function runCase(
  { name, file, line, steps }: TestCase,
  tried: TriedHooks,
  { cwd, signal }: { readonly cwd: string; readonly signal?: AbortSignal },
): Promise<CaseResult> {
  const session = `case ${file}:${line} ${name}`;
  const about = { name, file, line };
  let hooks: readonly AskedHook[] = [];
  let last: { readonly expected?: Expected; readonly actual?: Actual } = {};
  for (const step of steps) {
    let found: Tried;
    try {
      const event = { session_id: session, cwd, ...(await eventOf(step, file)) };
      found = await tried.fire(event, withoutUndefined({ stubs: step.stub, signal }));
      // What an async hook says belongs to the next event.
      if (steps.length > 1) await tried.hooks.settled();
    } catch (error) {
      signal?.throwIfAborted();
      const problem = errorMessage(error);
      return { ...about, line: step.line, status: "failed", hooks, differences: [], problem };
    }
    const expected = step.expect;
    hooks = [...hooks, ...askedHooks(found)];
    last = { expected, actual: actualOf(found) };
    const wrong = expected === undefined ? [] : differences(expected, found);
    const result = { ...about, line: step.line, ...last, hooks, differences: wrong };
    if (!isSettled(found, wrong)) return { ...result, status: "not_evaluated" };
    if (wrong.length > 0) return { ...result, status: "failed" };
  }
  const ended = { ...about, ...last, hooks, differences: [] };
  const isCompared = steps.some(({ expect }) => expect !== undefined);
  return isCompared
    ? { ...ended, status: "passed" }
    : {
        ...ended,
        status: "not_evaluated",
        problem: "It expects nothing; --update writes what is decided now.",
      };
}

/** False while a hook that was not asked could change what is compared: no hook can lift a refusal. */
export function isSettled(
  { decision, not_evaluated }: Omit<Tried, "event">,
  wrong: readonly Difference[],
): boolean {
  if (not_evaluated.length === 0) return true;
  return decision.action === "deny" && (wrong.length === 0 || wrong.some(({ key }) => key === "action"));
}

/** The event of a step; files are found from where `file` is. */
export async function eventOf(
  { event, agent }: Pick<Step, "event" | "agent">,
  file: string,
): Promise<Readonly<Record<string, unknown>>> {
  const payload = typeof event === "string" ? await recorded(resolve(dirname(file), event), event) : event;
  if (agent !== undefined) return { ...(await adapterOf(agent)).decode(payload) };
  const isCall = payload.hook_event_name === undefined && payload.tool_name !== undefined;
  return isCall ? { hook_event_name: "PreToolUse", tool_input: {}, ...payload } : payload;
}

async function recorded(file: string, name: string): Promise<Readonly<Record<string, unknown>>> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw new Error(`${name} can't be read: ${errorMessage(error)}`);
  });
  const value: unknown = JSON.parse(text);
  if (!isRecord(value)) throw new Error(`${name} holds no event: it must be one JSON object.`);
  return value;
}
