import type { Issue } from "../../core/base/schemas.ts";
import { secondsOf } from "../duration.ts";
import { type MonitorSettings, TRIGGER_KEYS } from "./settings.ts";
import { type ActionName, TRIGGERS, type TriggerName } from "./triggers.ts";

type Written = NonNullable<MonitorSettings[TriggerName]>;

/** What a configuration says about a trigger, as an object. */
export type TriggerSettings = Exclude<Written, string>;

/** What the monitor does at a trigger; `undefined` when the configuration does not say. */
export function triggerOf(settings: MonitorSettings, name: TriggerName): TriggerSettings | undefined {
  const written = settings[name];
  return typeof written === "string" ? { action: written } : written;
}

/** The seconds of a key that is a duration. */
export function secondsIn(
  settings: TriggerSettings,
  key: "timeout" | "wait" | "cooldown" | "grace",
  standard: number,
): number {
  return secondsOf(settings[key]) ?? standard;
}

/** The keys of triggers that do not fit their action, each at its place below `monitor`. */
export function triggerIssues(settings: MonitorSettings): readonly Issue[] {
  return TRIGGERS.flatMap((name) => {
    const trigger = triggerOf(settings, name);
    return trigger === undefined ? [] : [...unfitKeys(name, trigger), ...missingKeys(name, trigger)];
  });
}

function unfitKeys(name: TriggerName, trigger: TriggerSettings): readonly Issue[] {
  return Object.entries(TRIGGER_KEYS).flatMap(([key, { actions, triggers }]) => {
    if (Reflect.get(trigger, key) === undefined) return [];
    if (triggers?.includes(name) === false)
      return [{ path: [name, key], text: `does not fit ${name}; only ${listed(triggers)} can have it.` }];
    return actions.includes(trigger.action)
      ? []
      : [
          {
            path: [name, key],
            text: `does not fit the action ${trigger.action}; only ${listed(actions)} can have it.`,
          },
        ];
  });
}

function missingKeys(name: TriggerName, trigger: TriggerSettings): readonly Issue[] {
  return Object.entries(TRIGGER_KEYS).flatMap(([key, { actions, needed }]) => {
    if (needed !== true || !actions.includes(trigger.action) || Reflect.get(trigger, key) !== undefined)
      return [];
    const example = `{ action: ${trigger.action}, ${key}: … }`;
    return [{ path: [name], text: `has the action ${trigger.action} without ${key}. Write ${example}.` }];
  });
}

function listed(names: readonly (ActionName | TriggerName)[]): string {
  return names.length === 1 ? `${names[0]}` : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
