import type { Limits } from "../core/registration/limits.ts";
import type { Adapter, NativePayload } from "./adapter.ts";
import type { CarriedOptions } from "./carried-args.ts";
import type { AgentTable } from "./codec/agent-table.ts";
import type { Headless } from "./headless.ts";
import type { AgentSettings, WantedEvent } from "./settings/agent-settings.ts";
import type { SettingsPath, SettingsText } from "./settings/json-edit.ts";

/** Where an agent looks for settings: in the project, for this user, or for this user in the project. */
export type SettingsScope = "project" | "user" | "local";

export interface SettingsPlaces {
  /** The project's folder. */
  readonly root: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The settings that an administrator writes for all users of a machine. */
export interface ManagedSettings {
  readonly file: string;
  /** How they are written, where it is not as those of a user. */
  readonly settings?: AgentSettings;
}

/** Something of others because of which an agent may run what our hooks refuse. */
export interface Lift {
  /** What it is and what it can do, as a sentence. */
  readonly what: string;
  /** The file, or the variable. */
  readonly where: string;
  readonly line?: number;
  readonly way_out: string;
}

/** Finds one kind of them by the files that others wrote. Never throws. */
export type LiftFinder = (places: SettingsPlaces) => readonly Lift[];

/** The plug-ins and extensions of a person, and what leads an agent to them. */
export interface PluginSources {
  /** Folders, and JSON files whose paths change with the home. */
  readonly paths: readonly string[];
  /** Keys of its settings that name them. */
  readonly keys?: readonly string[];
  /** Files that it needs besides, by their name in the home folder. */
  readonly files?: Readonly<Record<string, object>>;
  readonly variables?: Readonly<Record<string, string>>;
}

/** Everything the command line needs to know about one foreign agent. */
export interface Integration {
  readonly adapter: Adapter;
  /** Its events and effects: what `install`, `doctor` and the page of agents in the docs tell about it. */
  readonly table: AgentTable;
  /** The name of its program on the PATH. */
  readonly program: string;
  /** The variable for another home folder, for a program that writes into it whatever it is asked. */
  readonly homeVariable?: string;
  /** True when its program is an editor, in whose terminals its user works, too. */
  readonly isEditor?: true;
  /** The first version that supports everything we rely on, and what an older one does instead (follows its name). */
  readonly since: { readonly version: string; readonly older: string };
  /**
   * The arguments that continue a session without a terminal, with the message on stdin; absent when it can't. With them
   * go options of the earlier run.
   */
  resume?(session: string, carried: readonly string[]): readonly string[];
  /** The arguments that start a session without a terminal, with the task on stdin. */
  begin?(carried: readonly string[]): readonly string[];
  /** How it says what it does then; absent when it does not. */
  readonly headless?: Headless;
  /** The options of the earlier run that both need. */
  readonly carried?: CarriedOptions;
  /** A text that a transcript has once there is something to continue. Default: any. */
  readonly continuable?: string;
  /** A call of its shell, as it sends it, for `explain`. Default: as Claude Code sends it. */
  shellCall?(command: string, cwd: string): NativePayload;
  readonly settings: AgentSettings;
  /** The scopes it has settings for; the first is the one that `install` chooses by itself. */
  readonly scopes: readonly [SettingsScope, ...SettingsScope[]];
  /** The file with its settings; the folder, for an agent with `settingsNames`. */
  settingsFile(scope: SettingsScope, places: SettingsPlaces): string;
  /** The settings of the machine's administrator, whose hooks the agent always trusts; absent when it has none. */
  readonly managed?: ManagedSettings;
  /** The names of our files, for an agent that has a file for each event; see `ownedFolder`. */
  readonly settingsNames?: readonly string[];
  /** How the agent calls the project's own copy of our program; absent when it can't name the project's folder. */
  readonly projectCommand?: string;
  /** Why it starts no hook in a project yet, a clause whose subject it is. `isUser`: they are in the user's settings. */
  readonly startsNone?: (places: SettingsPlaces, isUser: boolean) => string | undefined;
  /** True when the agent starts hooks in a login shell, which has a PATH of its own. */
  readonly loginShell?: true;
  /**
   * True when the agent reads the project's settings only if it starts in the project's own folder; `unless git`: in a
   * git repository it finds those of the root.
   */
  readonly startsInRoot: boolean | "unless git";
  /** Why this version does not load what `install` wrote; `undefined` when it does. Absent when every version does. */
  unloaded?(version: string, text: SettingsText): string | undefined;
  /** What is different in this version, which nobody could run. */
  unproven?(version: string): string | undefined;
  /** What people must know before they rely on it: what nothing can close. Sentences for `install` and `doctor`. */
  readonly warnings?: readonly string[];
  /** What else is different there, for its page in the reference: sentences in Markdown. */
  readonly notes?: readonly string[];
  /** Why these settings turn off the hooks of all files; `undefined` when they do not. Absent when none can. */
  switchedOff?(text: SettingsText): string | undefined;
  /** What else turns the hooks of all files off. */
  readonly switches?: OtherSwitches;
  /** What of others could lift our hooks there, besides hooks of theirs that rewrite a call. */
  readonly lifts?: readonly LiftFinder[];
  /** Where else it finds hooks of others: the files of plug-ins and extensions. */
  hookFiles?(places: SettingsPlaces): readonly string[];
  /** What it needs to load these in another home, where `moved` says a path is; absent when `prove` can't copy them. */
  pluginSources?(places: SettingsPlaces, moved: (path: string) => string): PluginSources;
  /** True when we judge what hooks of others rewrote. Default: nobody does. */
  judgesRewrites?(places: SettingsPlaces): boolean;
  /** The agent's own trust in hooks; absent when it runs all of them. */
  readonly trust?: AgentTrust;
  /** How one run of it reports to us while its settings stay as they are; absent when it takes none for a run. */
  readonly oneRun?: OneRun;
  /** The line of its own on which a command shows what it is told; absent when the agent has none. */
  readonly statusLine?: StatusLineSettings;
  /** The plug-in of ours that it asks last about a call; absent when it takes none. */
  readonly lastGate?: LastGateSeat;
  /** How `import` converts the agent's own hooks; absent when it can't. */
  readonly importing?: Importing;
}

/** A plug-in of somebody else that starts programs, writes files or sends requests by itself, which no gate sees. */
export interface ActingMod {
  readonly folder: string;
  /** Its name and what its files are, which the configuration names to allow it; `undefined` for one with too many. */
  readonly id: string | undefined;
  /** False for one that only sends requests: it works as before. */
  readonly isLeftOut: boolean;
}

/** Where a plug-in of ours finds us, whatever the variables of the agent say. */
export interface OwnPlace {
  /** Our program, by full paths. */
  readonly program: readonly string[];
  /** The state folder; absent in a plug-in for all users of a machine, each of whom has one below the account's home folder. */
  readonly state?: string;
  /** The variables that are emptied for it. */
  readonly unset?: readonly string[];
}

/** How an agent gets a plug-in of ours that no other plug-in passes. Pure functions on the text of settings, but for two. */
export interface LastGateSeat {
  /** The event whose hooks it stands behind. */
  readonly event: string;
  /** The oldest version that loads the plug-in. */
  readonly since: string;
  /** What leaves it out of a run where a user's settings name it, a main clause. */
  readonly leftOutBy: string;
  /** The text with the plug-in, which is in this folder, before all others. Idempotent. */
  install(text: SettingsText, folder: string, isManaged: boolean): SettingsText;
  /** The text without it, as it was before. */
  uninstall(text: SettingsText): SettingsText;
  /** The folder that the text names; `undefined` when the plug-in does not come first in it. */
  folderIn(text: SettingsText): string | undefined;
  /** The files of the folder, by their names in it. */
  files(place: OwnPlace): ReadonlyMap<string, string>;
  /** The managed settings because of which the agent ignores those of the user; `undefined` when there are none. Never throws. */
  overruledBy(): string | undefined;
  /** Says what else overrules it that nobody can see here. */
  readonly overruledBySome: string;
  /** Where the agent itself lists the folder, and that list without it. */
  listed(places: SettingsPlaces): {
    readonly file: string;
    without(text: SettingsText, folder: string): SettingsText;
  };
  /** The plug-ins of others that act by themselves. Never throws. */
  actingMods(places: SettingsPlaces): readonly ActingMod[];
  /** What others can do without it, a sentence. */
  readonly without: string;
}

/** The status line of an agent, as pure functions on the text of its settings. A command that is there goes on working. */
export interface StatusLineSettings {
  /**
   * The text with a command that tells the monitor what the agent says. Idempotent.
   *
   * @throws TenterhookError `settings_unreadable` with the line.
   */
  install(text: SettingsText): SettingsText;
  /** The text without it, as it was before. */
  uninstall(text: SettingsText): SettingsText;
}

export interface Run {
  readonly args: readonly string[];
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** How an agent gets our entries for one run. */
export interface OneRun {
  /**
   * The settings that the run would get in the place of ours, to which ours are added: the path of a file, or their
   * text. Absent when our entries need no file.
   */
  readonly replaced?: (run: Run) => string | undefined;
  /** What the run is started with: its arguments, and the variables that it needs besides its own. */
  started(
    run: Run,
    ours: { readonly events: readonly WantedEvent[]; readonly file: string },
  ): {
    readonly args: readonly string[];
    readonly variables: Readonly<Record<string, string>>;
  };
}

/** What turns all hooks of an agent off, other than the files that list them. */
export interface OtherSwitches {
  /** Variables that do it where they are set for the agent. */
  readonly variables?: readonly string[];
  /** Other files of the agent that can, each with why it does. */
  files?(places: SettingsPlaces): readonly SwitchFile[];
}

export interface SwitchFile {
  readonly file: string;
  switchedOff(text: SettingsText): string | undefined;
}

export interface InstalledFile {
  readonly file: string;
  readonly text: SettingsText;
}

/** Why something does not work, and what to do about it. */
export interface Fault {
  readonly why: string;
  readonly way_out: string;
}

/** The trust of an agent that skips hooks which its user has not approved. Pure functions on texts. */
export interface AgentTrust {
  /** The file in which it records what is trusted. */
  file(places: SettingsPlaces): string;
  /** What it skips and how to trust it, in sentences for the user. `option` is the one with which `install` chooses the file. */
  readonly explained: (option: string) => string;
  /**
   * The events of our entries that it would skip.
   *
   * @throws TenterhookError `settings_unreadable` when a text can't be parsed.
   */
  untrusted(installed: InstalledFile, record: SettingsText): readonly string[];
  /**
   * Why the agent reads nothing of a project, whatever it trusts in there, and the way out; `undefined` when it does.
   * Absent when it reads all projects. Without a version, of the newest one.
   */
  closedProject?(root: string, record: SettingsText, version?: string): Fault | undefined;
  /** The events of our entries that it trusted in another place of the file. */
  shifted(installed: InstalledFile, record: SettingsText): readonly string[];
  /** The record with our entries trusted, everything else to the byte. */
  grant(installed: InstalledFile, record: SettingsText): SettingsText;
  /**
   * The record after the file has changed. An entry that was trusted, ours or not, is so in its new place, and what is gone
   * is forgotten.
   */
  moved(before: InstalledFile, after: InstalledFile, record: SettingsText): SettingsText;
}

/** An integration whose agent's hooks can be imported. */
export type ImportedIntegration = Integration & { readonly importing: Importing };

/** What `import` needs to know about an agent. */
export interface Importing {
  importHooks(given: ForeignHooks): Imported;
  /** True when it runs hooks in the front matter of the agents, skills and commands next to its settings. */
  readonly frontMatter?: true;
  /** True for Claude Code, whose plug-ins have hooks. */
  readonly plugins?: true;
  /** True when it starts the hooks of the user's settings in the folder of that file, not in the project. */
  readonly startsInUserFolder?: true;
  /** Where else its hooks are: files, and folders of which it reads every JSON file. */
  places?(scope: SettingsScope, places: SettingsPlaces): readonly string[];
  /** What `import --check` needs to compare a hook of the agent with ours. */
  readonly compared: ComparedHooks;
}

type Settings = Readonly<Record<string, unknown>>;

export interface ForeignPlugin {
  readonly name: string;
  readonly folder: string;
  /** Its name for the agent, which has installed it and updates it; absent for a folder of the user's own. */
  readonly id?: string;
  /** The variables that the agent sets for its hooks. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Hooks of another agent, as one of its files has them. */
export interface ForeignHooks {
  /** The section with the hooks, as parsed. */
  readonly hooks: unknown;
  /** The subagent, skill or command whose own hooks they are. */
  readonly owner?: { readonly kind: "agent" | "skill" | "command"; readonly name: string };
  readonly plugin?: ForeignPlugin;
  /** Where the agent starts them, if not where the session works; a shell reads it as it is written. */
  readonly folder?: string;
  /** Variables that the file sets for the agent. */
  readonly environment?: Settings;
  /** The texts of the files that a command runs, as far as they can be read. */
  readonly scriptsOf: (definition: Settings) => readonly string[];
}

export interface OriginalHook {
  readonly event: string;
  readonly matcher: unknown;
  readonly handler: Settings;
  /** The subagent for which alone it runs. */
  readonly agent?: string;
  readonly folder?: string;
}

/** How a hook's program ended. */
export interface HookReply {
  readonly stdout: string;
  readonly stderr: string;
  /** `null` when it did not end by itself. */
  readonly exit_code: number | null;
}

/** How an agent runs its own hooks. */
export interface ComparedHooks {
  /** True when the agent sends such a payload to hooks on the event. Default: when its `hook_event_name` is the event. */
  sends?(event: string, payload: Settings): boolean;
  /** True when the agent runs a hook with this matcher for a payload that it sends. */
  runs(event: string, matcher: unknown, payload: Settings): boolean;
  /** True for a reply that is a failure to the agent, but none to us. */
  fails?(original: OriginalHook, reply: HookReply): boolean;
  /** Variables that the agent sets for its hooks. */
  variables(root: string): Readonly<Record<string, string>>;
}

/** One hook of another agent and what became of it. */
export interface ImportedHook {
  readonly name: string;
  /** Its event and matcher, in the agent's words. */
  readonly about: string;
  /** Where it is in the section. */
  readonly path: SettingsPath;
  readonly original: OriginalHook;
  /** Our definition; absent for a hook that was skipped. */
  readonly definition?: Settings;
  /** The hook that does the same: the agent runs such hooks once. */
  readonly same_as?: string;
  /** What differs from the agent, a sentence each. */
  readonly differences: readonly string[];
}

/** Another agent's hooks as our definitions. */
export interface Imported {
  readonly hooks: readonly ImportedHook[];
  /** What concerns no single hook, a sentence each. */
  readonly notes: readonly string[];
  /** Limits that the hooks rely on, when they are not the usual ones. */
  readonly limits?: Partial<Limits>;
}
