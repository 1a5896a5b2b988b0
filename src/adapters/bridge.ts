import type { Effect } from "../core/events/effects.ts";
import type { Adapter } from "./adapter.ts";
import type { Imported } from "./imported.ts";
import type { AgentSettings } from "./settings.ts";
import type { SettingsText } from "./settings-json.ts";

/** Where an agent looks for its settings: with the project, for this user, or for this user in the project. */
export type SettingsScope = "project" | "user" | "local";

/** What says where settings are. */
export interface SettingsPlaces {
  /** The folder of the project. */
  readonly root: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Everything the command line needs of one foreign agent. */
export interface Bridge {
  readonly adapter: Adapter;
  /** The agent as people call it. */
  readonly title: string;
  /** Its program, for its version. */
  readonly program: string;
  /** The first version that does all we rely on, and what an older one does instead, to follow its name. */
  readonly since: { readonly version: string; readonly older: string };
  readonly settings: AgentSettings;
  /** Its settings file of a scope. */
  settingsFile(scope: SettingsScope, places: SettingsPlaces): string;
  /** What the agent hears on one of our events; `undefined` for one it never sends. */
  hears(event: string): ReadonlySet<Effect> | undefined;
  /** True when a refusal on one of our events stops something there. */
  gates(event: string): boolean;
  /** The agent reads the project's file only when it starts in the project's own folder. */
  readonly startsInRoot: boolean;
  /** Why, by a settings file, no hook of any file will run; `undefined` when they will. */
  switchedOff(text: SettingsText): string | undefined;
  /** Its hooks as ours. */
  importHooks(text: SettingsText): Imported;
}
