import fc from "fast-check";
import type { Effect, Outcome } from "tenterhook";
import type { DecodedEvent } from "../../../src/adapters/adapter.ts";

const text = fc.string({ minLength: 1, maxLength: 40 }).filter((given) => given.trim() !== "");
const record = fc.dictionary(fc.constantFrom("command", "file_path", "answers"), fc.string());

/** What a rewrite on an event replaces it with. */
function rewritten({ hook_event_name, tool_input, prompt }: DecodedEvent): fc.Arbitrary<unknown> {
  if (hook_event_name.startsWith("Post")) return hook_event_name.endsWith("Failure") ? text : fc.jsonValue();
  if (prompt !== undefined || tool_input === undefined) return text;
  return record;
}

/** One outcome of each kind. */
function outcome(effect: Effect, event: DecodedEvent): fc.Arbitrary<Outcome> {
  switch (effect) {
    case "allow":
    case "ask":
    case "deny":
    case "retry":
    case "abort":
      return text.map((reason) => ({ type: effect, reason }));
    case "rewrite":
      return rewritten(event).map((next) => ({ type: effect, next: next ?? "null" }));
    case "context":
    case "hook_input":
      return text.map((line) => ({ type: effect, text: line }));
    case "user_message":
      return text.map((line) => ({ type: effect, text: line, level: "info" }));
    case "keep_going":
      return text.map((reason) => ({ type: effect, reason }));
    case "answer":
      return fc.constant({ type: effect, answer: { action: "accept", content: { env: "prod" } } });
    case "time_limit":
      return fc.constant({ type: effect, seconds: 30 });
    case "native":
      return text.map((sessionTitle) => ({ type: effect, reply: { hookSpecificOutput: { sessionTitle } } }));
    default: {
      const never: never = effect;
      throw new Error(`No outcome for ${never}.`);
    }
  }
}

/** Any outcomes a hook may give on this event, some of the effects at a time. */
export function outcomesFor(
  event: DecodedEvent,
  effects: readonly Effect[],
): fc.Arbitrary<readonly Outcome[]> {
  return fc
    .subarray([...effects])
    .chain((chosen) => fc.tuple(...chosen.map((effect) => outcome(effect, event))));
}
