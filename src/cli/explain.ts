import type { Decision, HookFailure, HookOutcome } from "../core/decision.ts";
import type { AnyEvent } from "../core/event-types.ts";
import { createHooks, type Hooks } from "../index.ts";
import { openHooks } from "../open.ts";
import { type CommandRun, flagOption, type Invocation } from "./command.ts";
import { matcherPorts } from "./explain/ports.ts";
import { type GivenEvent, readEvent } from "./explain/read-event.ts";
import { showExplanation } from "./explain/show.ts";
import { type Why, whyMatched } from "./explain/why.ts";

/** What became of one hook. */
export interface ExplainedHook extends Why {
  readonly name: string;
  readonly outcome?: HookOutcome;
  readonly failure?: HookFailure;
}

/** An event with all that is known of its decision. */
export interface Explanation {
  readonly event: AnyEvent;
  /** Absent when nothing was run. */
  readonly decision?: Decision;
  readonly hooks: readonly ExplainedHook[];
}

/** `tenterhook explain`. */
export const run: CommandRun = async (invocation) => {
  const { screen, json, environment, signal, names } = invocation;
  const given = await readEvent(names[0] ?? "-", invocation);
  const cwd = typeof given.cwd === "string" ? given.cwd : invocation.cwd;
  const opened = await openHooks({
    cwd,
    environment,
    journal: false,
    signal,
    report: (text) => screen.tell(text),
  });
  try {
    const explanation = await explain(opened.hooks, given, invocation);
    if (json) screen.json(explanation);
    else showExplanation(explanation, screen);
  } finally {
    await opened.close();
  }
  return undefined;
};

async function explain(hooks: Hooks, given: GivenEvent, invocation: Invocation): Promise<Explanation> {
  const dry = flagOption(invocation, "dry");
  const { event, decision } = await decided(dry ? createHooks() : hooks, given, invocation.signal);
  await hooks.settled();
  const ports = matcherPorts();
  const explained: ExplainedHook[] = [];
  for (const hook of hooks.list()) {
    const why = await whyMatched(hook, event, ports);
    const run = decision.runs.findLast(({ name }) => name === hook.name);
    const { outcome, failure } = run ?? {};
    explained.push({
      name: hook.name,
      ...why,
      ...(outcome === undefined ? {} : { outcome }),
      ...(failure === undefined ? {} : { failure }),
    });
  }
  return { event, ...(dry ? {} : { decision }), hooks: explained };
}

/** Fires the event; answers it as hooks saw it, with the decision. */
async function decided(
  hooks: Hooks,
  given: GivenEvent,
  signal: AbortSignal,
): Promise<{ readonly event: AnyEvent; readonly decision: Decision }> {
  let seen: AnyEvent | undefined;
  const off = hooks.observeDecisions(({ event }) => {
    seen = event;
  });
  // The engine looks at every field itself; the type says only what a caller in TypeScript would be told earlier.
  const fire: (event: GivenEvent, options: { readonly signal: AbortSignal }) => Promise<Decision> = (
    event,
    options,
  ) => Reflect.apply(hooks.fire, hooks, [event, options]);
  const decision = await fire(given, { signal });
  off();
  if (seen === undefined) throw new Error("The engine did not tell of its decision.");
  return { event: seen, decision };
}
