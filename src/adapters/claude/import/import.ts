import { isRecord, sameJson } from "../../../core/base/json.ts";
import { differenceList } from "../../import/convert.ts";
import { hookNames, kebab } from "../../import/hook-name.ts";
import { stopLimits } from "../../import/stop-limits.ts";
import type { ForeignHooks, Imported, ImportedHook, OriginalHook } from "../../integration.ts";
import { isHookHandler } from "../../settings/call-without-shell.ts";
import { definitionOf, eventOf } from "./definition.ts";
import { type HookEntry, hookEntries } from "./entries.ts";

type Settings = Readonly<Record<string, unknown>>;

/** Converts hooks of Claude Code to definitions. Skips those that `install` wrote. */
export function importClaude(given: ForeignHooks): Imported {
  const { entries, unread } = hookEntries(given.hooks);
  const foreign = entries.filter(({ handler }) => !isHookHandler(handler));
  const nameOf = hookNames(kebab((given.owner ?? given.plugin)?.name ?? ""));
  const hooks: ImportedHook[] = [];
  for (const entry of foreign) {
    const { event, path } = entry;
    const { tell, differences } = differenceList();
    if (entry.old)
      tell("it is written in a form that Claude Code no longer loads: it did not run there, and does here.");
    if (given.owner !== undefined && given.owner.kind !== "agent")
      tell(`it ran only while the ${given.owner.kind} ${given.owner.name} was in use; here it always runs.`);
    const name = nameOf(event, entry.handler);
    const made = definitionOf(entry, given, tell);
    const hook = {
      name,
      about: aboutOf(entry),
      path,
      original: originalOf(entry, given),
      differences,
    };
    if (made === undefined) {
      hooks.push(hook);
      continue;
    }
    const definition = { name, ...made };
    const twin = hooks.findIndex((one) => isTwin(one, hook));
    const joined = joinedDefinition(hooks[twin]?.definition, definition);
    const before = hooks[twin];
    if (before === undefined) hooks.push({ ...hook, definition });
    else if (joined === undefined) {
      tell(
        `it is the same as ${before.name}: Claude Code runs them once when both match, Tenterhook runs both.`,
      );
      hooks.push({ ...hook, definition });
    } else {
      hooks[twin] = { ...before, definition: joined };
      hooks.push({ ...hook, same_as: before.name });
    }
  }
  const limits = stopLimits(hooks, (event) => STOPS.includes(event), given);
  const loops =
    limits?.stop_continuations === undefined
      ? []
      : [
          `Claude Code lets a Stop hook continue a turn as long as tools are called in between. Here the limit is ${limits.stop_continuations} continuations: limits.stop_continuations in your own configuration.`,
        ];
  const notes = [...unread, ...notesAbout(hooks), ...loops];
  return { hooks, notes, limits };
}

function originalOf(entry: HookEntry, given: ForeignHooks): OriginalHook {
  const { matcher, handler } = entry;
  const { owner } = given;
  const agent = owner?.kind === "agent" ? { agent: owner.name } : {};
  return { event: eventOf(entry, given), matcher, handler, ...agent };
}

function aboutOf({ event, matcher, handler }: HookEntry): string {
  const only = typeof handler.if === "string" ? ` if ${handler.if}` : "";
  return `${event}${typeof matcher === "string" && matcher !== "" ? ` ${matcher}` : ""}${only}`;
}

/** Claude Code runs equal handlers of an event once. */
function isTwin({ original, definition }: ImportedHook, other: ImportedHook): boolean {
  const { event, handler } = other.original;
  return definition !== undefined && original.event === event && sameJson(original.handler, handler);
}

/** One definition for both: for the tools of either. `undefined` when their matchers can't be joined. */
function joinedDefinition(one: Settings | undefined, other: Settings): Settings | undefined {
  const [first, second] = [one?.matcher, other.matcher];
  if (!isRecord(first) || !isRecord(second)) return undefined;
  if (sameJson(first, second)) return one;
  const { tools: some, ...rest } = first;
  const { tools: others, ...otherRest } = second;
  if (!sameJson(rest, otherRest)) return undefined;
  if (some === undefined || others === undefined) return { ...one, matcher: rest };
  if (!Array.isArray(some) || !Array.isArray(others)) return undefined;
  return { ...one, matcher: { ...rest, tools: [...new Set([...some, ...others])] } };
}

function notesAbout(hooks: readonly ImportedHook[]): readonly string[] {
  const definitions = hooks.flatMap(({ definition }) => (definition === undefined ? [] : [definition]));
  const open = definitions.filter(({ on_failure }) => isRecord(on_failure));
  return [
    ...(open.length === 0
      ? []
      : [
          "If one of these hooks crashes, the call goes on, as in Claude Code; while it is not trusted, it is refused. For guards, set on_failure: closed.",
        ]),
    ...(definitions.filter(isToolGate).length > 1
      ? ["Rewrites of several hooks are merged. Claude Code keeps the one that comes last."]
      : []),
    ...(definitions.some(({ payload }) => payload === "native")
      ? ["A reply that refuses in a form Claude Code ignores is a failure here."]
      : []),
    ...(definitions.some(({ type }) => type === "command")
      ? ["Commands get no API keys and tokens except those that env names."]
      : []),
  ];
}

function isToolGate({ matcher }: Settings): boolean {
  return isRecord(matcher) && Array.isArray(matcher.events) && matcher.events.includes("PreToolUse");
}

const STOPS = ["Stop", "SubagentStop"];
