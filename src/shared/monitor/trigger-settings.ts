import { errorMessage } from "../../core/base/error-text.ts";
import type { Issue } from "../../core/base/schemas.ts";
import { compileGlob } from "../../core/match/glob.ts";
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

/** An agent, as `monitor.agents` names it. */
export interface TriggeredAgent {
  readonly agent_id?: string | undefined;
  readonly host?: string | undefined;
  /** The kind of a subagent, where its event says so. */
  readonly agent_type?: unknown;
}

/** The settings for one agent: those of `agents` that fit its name, its kind or its program come before those of all. */
export function settingsOfAgent(settings: MonitorSettings, agent: TriggeredAgent): MonitorSettings {
  const { agents } = settings;
  if (agents === undefined) return settings;
  const { agent_id, agent_type, host } = agent;
  const names = [agent_id, agent_type, host].filter((name) => typeof name === "string");
  const fitting = Object.entries(agents).filter(([pattern]) => names.some(compileGlob(pattern, TEXT)));
  return Object.assign({ ...settings }, ...fitting.reverse().map(([, triggers]) => triggers));
}

/** The settings of all agents, and those of each pattern. */
export function everySettings(settings: MonitorSettings): readonly MonitorSettings[] {
  return [settings, ...Object.values(settings.agents ?? {})];
}

const TEXT = { kind: "text" } as const;

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
  const own = TRIGGERS.flatMap((name) => {
    const trigger = triggerOf(settings, name);
    return trigger === undefined ? [] : [...unfitKeys(name, trigger), ...missingKeys(name, trigger)];
  });
  const ofAgents = Object.entries(settings.agents ?? {}).flatMap(([pattern, triggers]) =>
    [...patternIssues(pattern), ...triggerIssues(triggers)].map((issue) => ({
      ...issue,
      path: ["agents", pattern, ...issue.path],
    })),
  );
  return [...own, ...ofAgents];
}

function patternIssues(pattern: string): readonly Issue[] {
  try {
    compileGlob(pattern, TEXT);
    return pattern === "" ? [{ path: [], text: "is empty; no agent has such a name." }] : [];
  } catch (error) {
    return [{ path: [], text: `can't be read: ${errorMessage(error)}` }];
  }
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
