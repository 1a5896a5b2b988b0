import type { Outcome } from "../../core/events/outcomes.ts";
import type { AnyEvent } from "../../core/events/payloads.ts";
import type { Handler, HookContext, RunFacts } from "../../core/ports.ts";
import type { FailurePolicy } from "../../core/registration/hook.ts";
import { COMBINATIONS, type Combination, type Strictness, strictnessOf } from "./combine.ts";
import { askPart, type Part, type PartAnswer } from "./part.ts";

/**
 * A hook of several handlers. `all` asks every one and merges as the engine does; `any` refuses only when every one
 * does; `first` takes the first that has an opinion.
 *
 * @throws TenterhookError that names the part and what is wrong with it.
 */
export async function compositionHandler(
  type: keyof typeof COMBINATIONS,
  list: readonly unknown[],
  on_failure: FailurePolicy | undefined,
  makePart: (part: unknown, label: string) => Promise<Handler>,
): Promise<Handler> {
  const parts = await Promise.all(
    list.map(async (part, at): Promise<Part> => {
      const handler = await makePart(part, `part ${at + 1}`);
      return { label: `part ${at + 1} (${handler.type})`, handler };
    }),
  );
  return composed(type, parts, strictnessOf(on_failure));
}

function composed(type: keyof typeof COMBINATIONS, parts: readonly Part[], strictness: Strictness): Handler {
  const handlers = parts.map(({ handler }) => handler);
  const [problem] = parts.flatMap(({ label, handler }) =>
    handler.problem === undefined ? [] : [`${label}: ${handler.problem}`],
  );
  const effects = new Set(handlers.flatMap((handler) => handler.effects ?? []));
  return {
    type,
    effects: [...effects],
    problem,
    // What its parts have refused by then is reported when it is ended.
    tidies: true,
    run: (event, context) => ask(parts, event, context, COMBINATIONS[type], strictness),
    ...(handlers.some(({ health }) => health !== undefined) ? { health: () => healthOf(parts) } : {}),
    close: () => Promise.allSettled(handlers.map(async (handler) => handler.close?.())),
  };
}

/** Asks the parts in order. Each sees the event as the parts before it rewrote it. */
async function ask(
  parts: readonly Part[],
  event: AnyEvent,
  whole: HookContext,
  { isEnough, passesOn, combine }: Combination,
  strictness: Strictness,
): Promise<readonly Outcome[]> {
  const context = partContext(whole);
  const answers: PartAnswer[] = [];
  let seen = event;
  for (const part of parts) {
    const answer = await askPart(part, seen, context);
    answers.push(answer);
    if (isEnough(answer)) break;
    if (passesOn(answer)) seen = answer.event;
  }
  return combine(answers, strictness);
}

function healthOf(parts: readonly Part[]): string {
  return parts
    .flatMap(({ label, handler }) => (handler.health === undefined ? [] : [`${label}: ${handler.health()}`]))
    .join("; ");
}

type Usage = NonNullable<RunFacts["usage"]>;

/** The context that the parts of a composition get. It adds up the usage they record. */
function partContext(whole: HookContext): HookContext {
  const { signal, payload, recheck, output } = whole;
  let usage: Usage | undefined;
  const record = (facts: RunFacts): void => {
    if (facts.usage !== undefined) usage = sum(usage, facts.usage);
    whole.record(usage === undefined ? facts : { ...facts, usage });
  };
  return {
    signal,
    payload,
    recheck,
    output,
    record,
    // Reading these copies them, the whole conversation above all.
    get values() {
      return whole.values;
    },
    get agent() {
      return whole.agent;
    },
    get tool() {
      return whole.tool;
    },
  };
}

function sum(a: Usage | undefined, b: Usage): Usage {
  return {
    input_tokens: (a?.input_tokens ?? 0) + b.input_tokens,
    output_tokens: (a?.output_tokens ?? 0) + b.output_tokens,
  };
}
