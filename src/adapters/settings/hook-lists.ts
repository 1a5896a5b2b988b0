import { isRecord, listOf, sameJson } from "../../core/base/json.ts";
import { isGate, rowOf } from "../codec/agent-table.ts";
import { type AgentSettings, joinedEvents, type Unread, type WantedEvent } from "./agent-settings.ts";
import { isHookHandler } from "./call-without-shell.ts";
import { isWakeCommand } from "./hook-command.ts";
import { addToList, removeItems, type SettingsPath, type SettingsText, valueAt } from "./json-edit.ts";
import { isNarrower } from "./tool-matcher.ts";
import { type WantedRules, wantedEvents } from "./wanted-events.ts";

/** One hook in a settings file: the object with its command. */
export type Handler = Readonly<Record<string, unknown>>;

/** `groups`: lists of `{ matcher, hooks: [handler] }`; `flat`: lists of handlers, each with its matcher. */
type ListShape = "groups" | "flat";

/** How an agent's JSON file lists hooks by event. */
export interface HookLists extends WantedRules {
  /** The section with the events. Default: `hooks`. */
  readonly section?: readonly string[];
  /** What the agent wants at the top of a file in addition to the section; `install` writes it into a new file. */
  readonly heading?: Handler;
  /** A function where it depends on the event. */
  readonly shape: ListShape | ((native: string) => ListShape);
  /** What `install` writes for an event, without its matcher. */
  handlerFor(event: WantedEvent): Handler;
  /** What waits in the background until the monitor wakes the agent, for an event that `wakes`. */
  wakerFor?(event: WantedEvent): Handler | undefined;
  /** The seconds that the agent waits for a handler, when it says so. Default: its `timeout`. */
  secondsOf?(handler: Handler): number | undefined;
  /** True for an event whose matcher may stay when other folders share the file, besides those of `prompts`. */
  keepsMatcher?(native: string): boolean;
  unread(text: SettingsText): Unread | undefined;
  readable(text: SettingsText): SettingsText;
}

/** The settings of an agent whose JSON file lists hooks by event. */
export function hookLists(rules: HookLists): AgentSettings {
  const { section = ["hooks"], heading = {}, table, shape, secondsOf = timeoutOf } = rules;
  const isFlat = (native: string): boolean =>
    (typeof shape === "function" ? shape(native) : shape) === "flat";
  /** A file that holds nothing but our entries and the heading was made by us, and goes with them. */
  const without = (text: SettingsText, places: readonly Place[]): SettingsText => {
    const left = cutPlaces(text, places);
    if (places.length === 0) return left;
    const isMade = text !== undefined && text === withHeading(cutHeading(text, heading), heading);
    return isMade && left !== undefined && sameJson(valueAt(left, []), heading) ? undefined : left;
  };
  const entryOf = (event: WantedEvent): unknown => {
    const { matcher } = event;
    const selected = matcher === undefined ? {} : { matcher };
    const handler = rules.handlerFor(event);
    return isFlat(event.native)
      ? { ...handler, ...selected }
      : { ...selected, hooks: [handler, ...wakersFor(event)] };
  };
  const wakersFor = (event: WantedEvent): readonly Handler[] => {
    const waker = event.wakes === true ? rules.wakerFor?.(event) : undefined;
    return waker === undefined ? [] : [waker];
  };
  const placesIn = (text: SettingsText): readonly Place[] => {
    const events = valueAt(text, section);
    return Object.entries(isRecord(events) ? events : {}).flatMap(([native, list]) =>
      listOf(list).flatMap((entry, at): readonly Place[] => {
        const path = [...section, native, at];
        return isFlat(native) ? flatPlace(native, path, entry) : placesInGroup(native, path, entry);
      }),
    );
  };
  /** More time than we need is no fault: somebody with more hooks may have written it. */
  const isLonger = (key: string, there: Handler, wanted: Handler): boolean =>
    secondsOf({ [key]: wanted[key] }) !== undefined &&
    (secondsOf({ [key]: there[key] }) ?? 0) > (secondsOf({ [key]: wanted[key] }) ?? 0);
  /** The keys of our entry that differ from what they should be; all keys when there is no entry. */
  const differences = (event: WantedEvent, ours: readonly Place[]): readonly string[] => {
    const here = ours.filter((one) => one.native === event.native);
    const [place, ...others] = here.filter((one) => !isWaker(one));
    if (place === undefined) return ["missing"];
    const wakers = here.filter(isWaker).map((one) => one.handler);
    const wanted = wakersFor(event);
    const handler = rules.handlerFor(event);
    const keys = [...new Set([...Object.keys(handler), ...Object.keys(place.handler)])];
    return [
      ...(others.length === 0 ? [] : ["more than one"]),
      ...(sameJson(wakers.map(withoutCommand), wanted.map(withoutCommand)) ? [] : ["waker"]),
      ...(sameJson(wakers, wanted) ? [] : ["command"]),
      ...(matcherOf(place.matcher) === event.matcher ? [] : ["matcher"]),
      ...keys.filter(
        (key) => !sameJson(handler[key], place.handler[key]) && !isLonger(key, place.handler, handler),
      ),
    ];
  };
  /** A matcher that somebody added to our entry is not ours, and would skip tools that we need. */
  const enteredBy = (place: Place): WantedEvent => {
    const { native, matcher, handler } = place;
    if (isWaker(place)) return { native, timeout: rules.usualSeconds, gate: false, wakes: true };
    const timeout = Math.ceil(Math.max(rules.usualSeconds, secondsOf(handler) ?? 0));
    const isKnown = rules.prompts.get(native)?.matcher === matcher || rules.keepsMatcher?.(native) === true;
    return typeof matcher === "string" && isKnown
      ? { native, timeout, gate: false, matcher }
      : { native, timeout, gate: isGate(rowOf(table, native)) && !isObserver(place, timeout) };
  };
  /** An entry as it is written for an event that is only watched. */
  const isObserver = ({ native, handler }: Place, timeout: number): boolean => {
    const [watched, asked] = [false, true].map((gate) => rules.handlerFor({ native, timeout, gate }));
    return !sameJson(watched, asked) && sameJson(watched, handler);
  };
  return {
    wanted: (hooks) => wantedEvents(rules, hooks),
    install(text, events) {
      const ours = placesIn(text);
      const right = events.filter((event) => differences(event, ours).length === 0);
      const stale = ours.filter(({ native }) => right.every((event) => event.native !== native));
      const left = without(text, stale);
      const written = events
        .filter((event) => !right.includes(event))
        .reduce((now, event) => addToList(now, [...section, event.native], entryOf(event)), left);
      return left === undefined ? withHeading(written, heading) : written;
    },
    uninstall: (text) => without(text, placesIn(text)),
    installed: (text) => [...new Set(placesIn(text).map(({ native }) => native))],
    entered: (text) => joinedEvents(placesIn(text).map(enteredBy), []),
    drifted(text, events) {
      const ours = placesIn(text);
      return events.flatMap((event) => {
        const place = ours.find((one) => one.native === event.native && !isWaker(one));
        // Both ways to call us are right, but not one that lets calls go on where a gate is wanted.
        const isWatching = place !== undefined && event.gate && isObserver(place, event.timeout);
        const different = differences(event, ours).filter((key) => key !== "command" || isWatching);
        if (place === undefined || different.length === 0) return [];
        const { native, gate, matcher } = event;
        const narrow = different.includes("matcher") && isNarrower(matcherOf(place.matcher), matcher);
        const isOpen = gate && (narrow || different.some((key) => key !== "matcher" && key !== "waker"));
        return [{ native, gate: isOpen, narrow, different }];
      });
    },
    unread: rules.unread,
    readable: rules.readable,
  };
}

function timeoutOf({ timeout }: Handler): number | undefined {
  return typeof timeout === "number" ? timeout : undefined;
}

function withoutCommand({ command: _, ...rest }: Handler): Handler {
  return rest;
}

/** Where we are called: what to cut to remove it, and what it says. */
interface Place {
  readonly native: string;
  readonly path: SettingsPath;
  readonly matcher: unknown;
  readonly handler: Handler;
}

function flatPlace(native: string, path: SettingsPath, entry: unknown): readonly Place[] {
  if (!isOurs(entry)) return [];
  const { matcher, ...handler } = entry;
  return [{ native, path, matcher, handler }];
}

/** In the order of the file. When somebody added another hook to our group, only our part of it is ours. */
function placesInGroup(native: string, path: SettingsPath, group: unknown): readonly Place[] {
  if (!isRecord(group)) return [];
  const handlers = listOf(group.hooks);
  const ours = handlers.flatMap((handler, place) => (isOurs(handler) ? [{ handler, place }] : []));
  const alone = ours.length === handlers.length;
  return ours.map(({ handler, place }) => ({
    native,
    path: alone ? path : [...path, "hooks", place],
    matcher: group.matcher,
    handler,
  }));
}

/** A new file: our entries, and the heading behind them, where nobody writes it by hand. */
function withHeading(text: SettingsText, heading: Handler): SettingsText {
  const entries = Object.keys(heading).length === 0 ? undefined : valueAt(text, []);
  return isRecord(entries) ? `${JSON.stringify({ ...entries, ...heading }, undefined, 2)}\n` : text;
}

function cutHeading(text: string, heading: Handler): SettingsText {
  const entries = valueAt(text, []);
  if (!isRecord(entries)) return text;
  const rest = Object.entries(entries).filter(([key]) => !Object.hasOwn(heading, key));
  return JSON.stringify(Object.fromEntries(rest));
}

/** A group that calls us more than once is cut as a whole. */
function cutPlaces(text: SettingsText, places: readonly Place[]): SettingsText {
  const paths = places.map(({ path }) => path);
  return removeItems(
    text,
    paths.filter((path, at) => !sameJson(path, paths[at - 1])),
  );
}

function isOurs(handler: unknown): handler is Handler {
  return isRecord(handler) && isHookHandler(handler);
}

function isWaker({ handler }: Place): boolean {
  return isWakeCommand(handler.command);
}

/** These two match everything, like no matcher at all. */
function matcherOf(matcher: unknown): unknown {
  return matcher === "" || matcher === "*" ? undefined : matcher;
}
