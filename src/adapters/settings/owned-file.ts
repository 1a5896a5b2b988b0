import { TenterhookError } from "../../core/base/errors.ts";
import { isRecord, listOf, parseJson } from "../../core/base/json.ts";
import type { AgentSettings, WantedEvent } from "./agent-settings.ts";
import { OWNED_MARK } from "./installed-texts.ts";
import type { SettingsText } from "./json-edit.ts";
import { isNarrower } from "./tool-matcher.ts";
import { type WantedRules, wantedEvents } from "./wanted-events.ts";

/** A file that belongs to us as a whole: a plug-in, or a script that an agent finds by its name. */
export interface OwnedFile extends WantedRules {
  /** What begins a comment in the file's language. */
  readonly comment: "//" | "#";
  /** Lines that must come first, such as `#!/bin/sh`. */
  readonly head?: string;
  /** What the first line says. Default: that the whole file is ours. */
  readonly mark?: string;
  /** The rest of the file, which calls us for these events. */
  bodyFor(events: readonly WantedEvent[]): string;
}

/** The settings of an agent that loads a file of ours. */
export function ownedFile(rules: OwnedFile): AgentSettings {
  const { comment, head = "", mark = OWNED_MARK } = rules;
  const first = `${comment} ${mark} Events: `;
  const textFor = (events: readonly WantedEvent[]): string =>
    `${head}${first}${JSON.stringify(events)}\n${rules.bodyFor(events)}`;
  const eventsIn = (text: SettingsText): readonly WantedEvent[] | undefined => {
    const line = text?.split("\n").find((one) => one.startsWith(first));
    return line === undefined ? undefined : listOf(parseJson(line.slice(first.length))).filter(isWantedEvent);
  };
  return {
    wanted: (hooks) => wantedEvents(rules, hooks),
    install(text, events) {
      if (text !== undefined && text.trim() !== "" && eventsIn(text) === undefined)
        throw new TenterhookError("settings_unreadable", "Line 1: Tenterhook did not write this file.", {
          hint: "Rename it. It was not changed.",
        });
      return events.length === 0 ? undefined : textFor(events);
    },
    uninstall: (text) => (eventsIn(text) === undefined ? text : undefined),
    installed: (text) => eventsIn(text)?.map(({ native }) => native) ?? [],
    entered: (text) => eventsIn(text) ?? [],
    drifted(text, events) {
      const entered = eventsIn(text);
      if (entered === undefined) return [];
      // Somebody may have changed the code below an intact first line.
      const isChanged = text !== textFor(entered);
      return events.flatMap((event) => {
        const there = entered.find(({ native }) => native === event.native);
        if (there === undefined) return [];
        const different = isChanged ? ["code"] : lacks(there, event);
        if (different.length === 0) return [];
        const { native, gate, matcher } = event;
        const narrow = isNarrower(there.matcher, matcher);
        const isOpen = isChanged || narrow || different.includes("gate");
        return [{ native, gate: gate && isOpen, narrow, different }];
      });
    },
    unread: () => undefined,
    readable: (text) => text,
  };
}

/** More time than we need is no fault, and neither is a gate that nobody needs. Both ways to call us are right. */
function lacks(there: WantedEvent, event: WantedEvent): readonly string[] {
  return [
    ...(there.matcher === event.matcher ? [] : ["matcher"]),
    ...(there.timeout >= event.timeout ? [] : ["timeout"]),
    ...(there.gate || !event.gate ? [] : ["gate"]),
    ...(there.wakes === true || event.wakes !== true ? [] : ["waker"]),
  ];
}

function isWantedEvent(value: unknown): value is WantedEvent {
  return (
    isRecord(value) &&
    typeof value.native === "string" &&
    typeof value.timeout === "number" &&
    typeof value.gate === "boolean"
  );
}
