import { isRecord, sameJson } from "../../core/base/json.ts";
import { eventsAsked } from "../../core/events/event-table.ts";

import {
  type AgentSettings,
  HOOK_COMMAND,
  type HookInForce,
  isHookCommand,
  joinedEvents,
  type WantedEvent,
} from "../settings/agent-settings.ts";
import {
  addToList,
  lineOf,
  removeItems,
  type SettingsPath,
  type SettingsText,
  valueAt,
} from "../settings/json-edit.ts";
import { notStrict, strictJson } from "../settings/strict-json.ts";
import { nativeOf, ownName } from "./decode.ts";
import { CLAUDE_EVENTS, claudeEvent, isClaudeGate, TOOL_EVENTS } from "./events.ts";
import { wrongSetting } from "./settings-validity.ts";
import { fileMatcher, isNarrower, toolMatcher } from "./tool-matcher.ts";

/** For the start of our process and for ending what hooks started, on top of our timeouts. */
const MARGIN_SECONDS = 30;
/** Claude Code's default timeout. */
const USUAL_SECONDS = 600;

/** The tools with which it waits for a human, as a matcher. */
export const PROMPT_TOOLS = "ExitPlanMode|AskUserQuestion|EnterPlanMode";

/** The events, and their tools, that show that it waits for a human. */
const SHOW_PROMPTS: ReadonlyMap<string, { readonly matcher?: string }> = new Map([
  ["PreToolUse", { matcher: PROMPT_TOOLS }],
  ["PermissionRequest", {}],
  ["Notification", {}],
]);

/** The `hooks` section of Claude Code's settings.json. */
export const claudeSettings: AgentSettings = {
  wanted(hooks) {
    const needed = new Set(hooks.flatMap(({ events }) => events));
    const prompts = needed.delete("AgentPrompt") ? SHOW_PROMPTS : undefined;
    const events = Object.entries(CLAUDE_EVENTS).flatMap(([native, row]): WantedEvent[] => {
      const ours = row.event ?? ownName(native);
      const shown = prompts?.get(native);
      const names = shown === undefined ? [ours] : [ours, "AgentPrompt"];
      const timeout = secondsFor(names, hooks);
      if (!needed.delete(ours))
        return shown === undefined ? [] : [{ native, gate: false, timeout, ...shown }];
      const wanting = hooks.filter((hook) => hook.events.includes(ours));
      const narrowed = matcherFor(native, wanting, shown);
      return [{ native, gate: isClaudeGate(row), timeout, ...narrowed }];
    });
    // An event newer than this table is requested all the same.
    const newer = [...needed].flatMap((name): WantedEvent[] => {
      const native = nativeOf(name);
      if (native === undefined) return [];
      return [{ native, gate: isClaudeGate(claudeEvent(native)), timeout: secondsFor([name], hooks) }];
    });
    return {
      events: [...events, ...newer],
      never_sent: [...needed].filter((name) => nativeOf(name) === undefined),
    };
  },
  install(text, events) {
    const ours = placesIn(text);
    const right = events.filter((event) => differences(event, ours).length === 0);
    const stale = ours.filter(({ native }) => right.every((event) => event.native !== native));
    return events
      .filter((event) => !right.includes(event))
      .reduce(
        (left, event) => addToList(left, ["hooks", event.native], entryFor(event)),
        without(text, stale),
      );
  },
  uninstall: (text) => without(text, placesIn(text)),
  installed: (text) => [...new Set(placesIn(text).map(({ native }) => native))],
  entered: (text) => joinedEvents(placesIn(text).map(enteredBy), []),
  drifted(text, events) {
    const ours = placesIn(text);
    return events.flatMap((event) => {
      const place = ours.find(({ native }) => native === event.native);
      // Both ways to call us are right.
      const different = differences(event, ours).filter((key) => key !== "command");
      if (place === undefined || different.length === 0) return [];
      const { native, gate, matcher } = event;
      const narrow = different.includes("matcher") && isNarrower(matcherOf(place.matcher), matcher);
      const isOpen = gate && (narrow || different.some((key) => key !== "matcher"));
      return [{ native, gate: isOpen, narrow, different }];
    });
  },
  unread(text) {
    const found = notStrict(text);
    if (found !== undefined)
      return {
        why: `Claude Code reads strict JSON only, and line ${found.line} holds ${found.what}`,
        strippable: true,
      };
    if (text === undefined || text.trim() === "") return undefined;
    const wrong = wrongSetting(JSON.parse(text.replace(/^\uFEFF/, "")));
    if (wrong === undefined) return undefined;
    const { path, must_be } = wrong;
    const place = `line ${lineOf(text, path)} has one: ${path.join(".")} must be ${must_be}`;
    return {
      why: `Claude Code ignores a file with an invalid setting, and ${place}`,
      strippable: false,
    };
  },
  readable: (text) => (text === undefined ? undefined : strictJson(text)),
};

/** The tools that hooks want, with those that show that it waits for a human; or the files to watch. */
function matcherFor(
  native: string,
  wanting: readonly HookInForce[],
  shown: { readonly matcher?: string } | undefined,
): Pick<WantedEvent, "matcher" | "of_hooks"> {
  if (native === "FileChanged") {
    const files = fileMatcher(wanting);
    return files === undefined ? {} : { matcher: files };
  }
  if (!TOOL_EVENTS.has(native) || (shown !== undefined && shown.matcher === undefined)) return {};
  const prompts = shown?.matcher === undefined ? [] : [{ tools: [shown.matcher] }];
  const matcher = toolMatcher([...wanting, ...prompts]);
  return matcher === undefined ? {} : { matcher, of_hooks: true };
}

function entryFor(event: WantedEvent): unknown {
  const { matcher } = event;
  return { ...(matcher === undefined ? {} : { matcher }), hooks: [handlerFor(event)] };
}

function handlerFor({ timeout, gate, command = HOOK_COMMAND }: WantedEvent): Place["handler"] {
  return { type: "command", command, timeout, ...(gate ? { onFailure: "block" } : {}) };
}

/** Where we are called: what to cut to remove it, and what it says. */
interface Place {
  readonly native: string;
  readonly path: SettingsPath;
  readonly matcher: unknown;
  readonly handler: Readonly<Record<string, unknown>>;
}

/** A matcher that somebody added to our entry is not ours, and would skip tools that we need. */
function enteredBy({ native, matcher, handler: { timeout } }: Place): WantedEvent {
  const seconds = typeof timeout === "number" && timeout > USUAL_SECONDS ? Math.ceil(timeout) : USUAL_SECONDS;
  if (native === "FileChanged" && typeof matcher === "string")
    return { native, timeout: seconds, gate: false, matcher };
  return matcher === PROMPT_TOOLS
    ? { native, timeout: seconds, gate: false, matcher }
    : { native, timeout: seconds, gate: isClaudeGate(claudeEvent(native)) };
}

/** In the order of the file. When somebody added another hook to our group, only our part of it is ours. */
function placesIn(text: SettingsText): readonly Place[] {
  const hooks = valueAt(text, ["hooks"]);
  return Object.entries(isRecord(hooks) ? hooks : {}).flatMap(([native, groups]) =>
    asList(groups).flatMap((group, at): readonly Place[] => {
      if (!isRecord(group)) return [];
      const handlers = asList(group.hooks);
      const path = ["hooks", native, at];
      const ours = handlers.flatMap((handler, place) => (isOurs(handler) ? [{ handler, place }] : []));
      const alone = ours.length === handlers.length;
      return ours.map(({ handler, place }) => ({
        native,
        path: alone ? path : [...path, "hooks", place],
        matcher: group.matcher,
        handler,
      }));
    }),
  );
}

/** A group that calls us more than once is cut as a whole. */
function without(text: SettingsText, places: readonly Place[]): SettingsText {
  const paths = places.map(({ path }) => path);
  return removeItems(
    text,
    paths.filter((path, at) => !sameJson(path, paths[at - 1])),
  );
}

function isOurs(handler: unknown): handler is Place["handler"] {
  return isRecord(handler) && handler.type === "command" && isHookCommand(handler.command);
}

/** The keys of our entry that differ from what they should be; all keys when there is no entry. */
function differences({ native, ...wanted }: WantedEvent, ours: readonly Place[]): readonly string[] {
  const [place, ...others] = ours.filter((one) => one.native === native);
  if (place === undefined) return ["missing"];
  const handler: Place["handler"] = handlerFor({ native, ...wanted });
  const keys = [...new Set([...Object.keys(handler), ...Object.keys(place.handler)])];
  return [
    ...(others.length === 0 ? [] : ["more than one"]),
    ...(matcherOf(place.matcher) === wanted.matcher ? [] : ["matcher"]),
    ...keys.filter((key) => !sameJson(handler[key], place.handler[key])),
  ];
}

/** These two match everything, like no matcher at all. */
function matcherOf(matcher: unknown): unknown {
  return matcher === "" || matcher === "*" ? undefined : matcher;
}

/** The value when it is a list, else an empty list. */
function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function secondsFor(names: readonly string[], hooks: readonly HookInForce[]): number {
  const timeoutsOf = (name: string): readonly number[] =>
    hooks.filter(({ events }) => events.includes(name)).map(({ timeout }) => timeout);
  let seconds = 0;
  let mayFail = 0;
  for (const name of names) {
    for (const asked of eventsAsked(name)) {
      if (asked === "Error" && name !== "Error") continue;
      const timeouts = timeoutsOf(asked);
      // A rewrite runs every gate once more; nobody is asked again whether he has answered.
      seconds += sum(timeouts) * (asked === name && name !== "AgentPrompt" ? 2 : 1);
      if (name !== "Error") mayFail += timeouts.length;
    }
  }
  // Each hook that fails runs the hooks on Error.
  seconds += mayFail * sum(timeoutsOf("Error"));
  return Math.max(USUAL_SECONDS, Math.ceil(seconds) + MARGIN_SECONDS);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
