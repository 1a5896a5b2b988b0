import type { ContextItem } from "./decision.ts";
import type { FireScope } from "./fire-scope.ts";
import type { ContextOutcome } from "./outcomes.ts";
import { characterCount, firstCharacters, lastCharacters } from "./text.ts";

/** Room for the line that tells where the rest is. */
const NOTE_ROOM = 300;

/** A context outcome with its origin and within its size: a longer text goes to a file and leaves a preview. */
export function contextItem(outcome: ContextOutcome, hook: string, scope: FireScope): ContextItem {
  const { text, shortened } = fitted(outcome.text, hook, scope);
  return {
    text,
    hook,
    role: outcome.role ?? "user",
    lifetime: outcome.lifetime ?? "turn",
    recorded: outcome.recorded ?? true,
    ...(shortened === undefined ? {} : { shortened }),
  };
}

function fitted(text: string, hook: string, scope: FireScope): Pick<ContextItem, "text" | "shortened"> {
  const cap = scope.limits.context_characters;
  if (text.length <= cap) return { text };
  const characters = characterCount(text);
  if (characters <= cap) return { text };
  const path = scope.ports.spill?.(text, { hook, event_id: scope.event_id });
  const room = Math.max(0, cap - NOTE_ROOM);
  const head = firstCharacters(text, Math.ceil((room * 2) / 3));
  const tail = lastCharacters(text, Math.floor(room / 3));
  const where = path === undefined ? "the rest could not be kept" : `the whole text is in ${path}`;
  return {
    text: `${head}\n[… ${characters} characters in all; ${where} …]\n${tail}`,
    shortened: path === undefined ? { characters } : { characters, path },
  };
}
