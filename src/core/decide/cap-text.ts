import { capText, characterCount, firstCharacters, lastCharacters } from "../base/text.ts";
import type { ContextItem, ContextOutcome, Outcome } from "../events/outcomes.ts";
import { type EventScope, limitsOf } from "./event-scope.ts";
import type { HookCall } from "./hook-call.ts";

/** A context outcome whose text may be a preview of a longer one. */
export type CappedContext = ContextOutcome & Pick<ContextItem, "shortened">;

/** Caps the text of an outcome, so that no model, record or observer gets more. */
export function capOutcome(outcome: Outcome, call: HookCall): Outcome {
  const cap = limitsOf(call.scope).context_characters;
  if (outcome.type === "context") return capContext(outcome, call);
  if ("text" in outcome && outcome.text.length > cap) return { ...outcome, text: capText(outcome.text, cap) };
  if ("reason" in outcome && outcome.reason !== undefined && outcome.reason.length > cap) {
    return { ...outcome, reason: capText(outcome.reason, cap) };
  }
  return outcome;
}

/** Long context goes to a file and leaves a preview: its head and its tail. */
function capContext(outcome: ContextOutcome, { scope, hook }: HookCall): CappedContext {
  const cap = limitsOf(scope).context_characters;
  if (outcome.text.length <= cap) return outcome;
  const characters = characterCount(outcome.text);
  if (characters <= cap) return outcome;
  const path = spill(outcome.text, hook.hook.name, scope);
  const where = path === undefined ? "the rest could not be stored" : `the whole text is in ${path}`;
  const note = `\n[… ${characters} characters in all; ${where} …]\n`;
  const room = Math.max(0, cap - characterCount(note));
  const head = firstCharacters(outcome.text, Math.ceil((room * 2) / 3));
  const tail = lastCharacters(outcome.text, Math.floor(room / 3));
  const shortened = path === undefined ? { characters } : { characters, path };
  return { ...outcome, text: capText(`${head}${note}${tail}`, cap), shortened };
}

function spill(text: string, hook: string, { engine, event_id }: EventScope): string | undefined {
  try {
    return engine.ports.spill?.(text, { hook, event_id });
  } catch {
    return undefined;
  }
}
