import type { Effect } from "../core/events/effects.ts";
import type { Adapter } from "./adapter.ts";
import type { AgentSettings } from "./settings.ts";
import type { SettingsText } from "./settings-json.ts";

/** Where an agent looks for settings: in the project, for this user, or for this user in the project. */
export type SettingsScope = "project" | "user" | "local";

export interface SettingsPlaces {
  /** The project's folder. */
  readonly root: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Everything the command line needs to know about one foreign agent. */
export interface Bridge {
  readonly adapter: Adapter;
  /** The agent's name for people. */
  readonly title: string;
  readonly program: string;
  /** The first version that supports everything we rely on, and what an older one does instead (follows its name). */
  readonly since: { readonly version: string; readonly older: string };
  readonly settings: AgentSettings;
  settingsFile(scope: SettingsScope, places: SettingsPlaces): string;
  /** The effects the agent supports on one of our events; `undefined` when it never sends the event. */
  hears(event: string): ReadonlySet<Effect> | undefined;
  /** True when a refusal on this event stops something. */
  gates(event: string): boolean;
  /** True when the agent reads the project's settings only if it starts in the project's own folder. */
  readonly startsInRoot: boolean;
  /** Why these settings turn off the hooks of all files; `undefined` when they do not. */
  switchedOff(text: SettingsText): string | undefined;
  /** Converts the agent's hooks to ours. */
  importHooks(text: SettingsText): Imported;
}

/** Another agent's hooks as our definitions, and what could not be converted. */
export interface Imported {
  readonly definitions: readonly Readonly<Record<string, unknown>>[];
  /** One sentence per problem. */
  readonly report: readonly string[];
}
