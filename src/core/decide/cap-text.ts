import {
  capText,
  characterCount,
  firstCharacters,
  lastCharacters,
  neutralText,
  systemTag,
} from "../base/text.ts";
import type { ContextItem, ContextOutcome } from "../events/outcomes.ts";
import type { FiredEvent } from "./fired-event.ts";
import type { HookCall } from "./hook-call.ts";

/** A context outcome whose text may be a preview of a longer one. */
export type CappedContext = ContextOutcome & Pick<ContextItem, "shortened">;

/** Long context goes to a file and leaves a preview: its head and its tail. */
export function capContext(outcome: ContextOutcome, { scope, hook }: HookCall, cap: number): CappedContext {
  const text = neutralText(outcome.text);
  const tag = systemTag(outcome.text);
  const { name } = hook.hook;
  if (tag !== undefined)
    scope.collected.userMessages.push({
      text: `The hook ${JSON.stringify(name)} writes the tag <${tag}>, which is the agent's own: the model reads it as text.`,
      level: "warning",
      hook: name,
    });
  return { ...outcome, text, ...preview(text, cap, hook.hook.name, scope) };
}

/** The head and the tail of a text that is longer than the cap, and where the whole is. */
function preview(
  text: string,
  cap: number,
  hook: string,
  scope: FiredEvent,
): Pick<ContextItem, "text" | "shortened"> | undefined {
  if (text.length <= cap) return undefined;
  const characters = characterCount(text);
  if (characters <= cap) return undefined;
  const path = spill(text, hook, scope);
  const where = path === undefined ? "the rest could not be stored" : `the whole text is in ${path}`;
  const note = `\n[… ${characters} characters in all; ${where} …]\n`;
  const room = Math.max(0, cap - characterCount(note));
  const head = firstCharacters(text, Math.ceil((room * 2) / 3));
  const tail = lastCharacters(text, Math.floor(room / 3));
  const shortened = path === undefined ? { characters } : { characters, path };
  return { text: capText(`${head}${note}${tail}`, cap), shortened };
}

const MOST_NAMES = 500;

/** Cuts the context of an event where all of it together is too long, and says whose was cut. */
export function capAllContext(scope: FiredEvent): void {
  const { collected, engine, options } = scope;
  const { event_context_characters: most } = { ...engine.limits, ...options.limits };
  const cut = new Set<string>();
  let left = most;
  const items = collected.context.flatMap((item) => {
    const room = left;
    left -= characterCount(item.text);
    if (left >= 0) return [item];
    left = 0;
    cut.add(item.hook);
    if (room === 0) return [];
    const text = capText(item.text, room);
    return [item.shortened ? { ...item, text } : { ...item, ...preview(item.text, room, item.hook, scope) }];
  });
  if (cut.size === 0) return;
  const names = capText([...cut].join(", "), MOST_NAMES);
  const text = `[The hooks of this event added more than ${most} characters of context. Cut: ${names}.]`;
  const note = { text, hook: "tenterhook", role: "user", lifetime: "turn", recorded: true } as const;
  collected.context.splice(0, Infinity, ...items, note);
  collected.userMessages.push({
    text: `A limit cut the context of hooks (limits.event_context_characters, ${most}): ${names}.`,
    level: "warning",
    hook: "tenterhook",
  });
}

function spill(text: string, hook: string, { engine, event_id }: FiredEvent): string | undefined {
  try {
    return engine.ports.spill?.(text, { hook, event_id });
  } catch {
    return undefined;
  }
}
