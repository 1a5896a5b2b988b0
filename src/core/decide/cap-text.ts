import { capText, characterCount, firstCharacters, lastCharacters } from "../base/text.ts";
import type { ContextItem, ContextOutcome, Outcome } from "../events/outcomes.ts";
import type { FireScope } from "./event-scope.ts";
import type { HookCall } from "./hook-call.ts";

/** A context outcome whose text may stand for a longer one. */
export type BoundedContext = ContextOutcome & Pick<ContextItem, "shortened">;

/** An outcome within its size, so that neither a model, a record nor an observer gets more. */
export function bounded(outcome: Outcome, call: HookCall): Outcome {
  const cap = call.asked.scope.limits.context_characters;
  if (outcome.type === "context") return fitted(outcome, call);
  if ("text" in outcome && outcome.text.length > cap) return { ...outcome, text: capText(outcome.text, cap) };
  if ("reason" in outcome && outcome.reason !== undefined && outcome.reason.length > cap) {
    return { ...outcome, reason: capText(outcome.reason, cap) };
  }
  return outcome;
}

/** Long context goes to a file and leaves a preview: its head and its tail. */
function fitted(outcome: ContextOutcome, { asked, hook }: HookCall): BoundedContext {
  const { scope } = asked;
  const cap = scope.limits.context_characters;
  if (outcome.text.length <= cap) return outcome;
  const characters = characterCount(outcome.text);
  if (characters <= cap) return outcome;
  const path = spill(outcome.text, hook.hook.name, scope);
  const where = path === undefined ? "the rest could not be kept" : `the whole text is in ${path}`;
  const note = `\n[… ${characters} characters in all; ${where} …]\n`;
  const room = Math.max(0, cap - characterCount(note));
  const head = firstCharacters(outcome.text, Math.ceil((room * 2) / 3));
  const tail = lastCharacters(outcome.text, Math.floor(room / 3));
  const shortened = path === undefined ? { characters } : { characters, path };
  return { ...outcome, text: capText(`${head}${note}${tail}`, cap), shortened };
}

function spill(text: string, hook: string, { ports, event_id }: FireScope): string | undefined {
  try {
    return ports.spill?.(text, { hook, event_id });
  } catch {
    return undefined;
  }
}
