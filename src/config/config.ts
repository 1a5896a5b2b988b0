import type { DefinitionSite } from "../core/contracts/definition-site.ts";
import type { Origin } from "../core/registration/hook.ts";
import type { Limits } from "../core/registration/limits.ts";
import type { Settings } from "./combine/merge-settings.ts";
import type { FileScope, Source } from "./find/discover.ts";
import type { AgentHooks } from "./find/hook-toml.ts";
import type { Problem, Warning } from "./parse/problem.ts";
import type { Definition } from "./schema/definition.ts";

/** A hook of the configuration. */
export interface ConfigDefinition {
  /** As hook sets know it. A name that a higher scope has taken carries its scope: `project:guard`. */
  readonly name: string;
  /** As the file holds it, under the name that is written there. */
  readonly definition: Definition;
  /** False when the definition says so, or when its name is under `disabled`. */
  readonly enabled: boolean;
  /** Seconds: its own, else what its scope or a higher one gives; absent: the hook set's. */
  readonly timeout?: number;
  readonly origin: Required<Origin> & { readonly scope: FileScope };
  /** Where its scripts and commands start. */
  readonly root: string;
  /** The project whose files brought it; absent for a user's and for managed ones, which work for every project. */
  readonly project?: string;
  /** The pack it came with. */
  readonly pack?: string;
  /** The files it runs as they were when they were compared with what is trusted, for a last look before they run. */
  readonly files?: readonly { readonly path: string; readonly value: string }[];
  /** Why it must not run: this user has not trusted it as it is. It fails whenever it is asked. */
  readonly untrusted?: string;
}

/** Where a project's files stand with this user. */
export interface ConfigTrust {
  /** The real path of the nearest project; the working folder where there is none. */
  readonly root: string;
  /** Of all projects around the working folder. `nothing`: there is nothing that needs trust. */
  readonly state: "trusted" | "untrusted" | "nothing";
  /** What is not in force, each with the reason. */
  readonly untrusted: readonly {
    readonly name: string;
    readonly file: string;
    readonly line?: number;
    readonly reason: string;
  }[];
  /** Why what was trusted can't be read. */
  readonly problem?: string;
}

/** What the files of all scopes come to. Plain data. */
export interface Config {
  /** Every file that was read, in the order it counts. */
  readonly files: readonly Source[];
  /** Every hook, in the order of scopes and files; those that are not trusted too. */
  readonly definitions: readonly ConfigDefinition[];
  /** Seconds for hooks that no file has: what the lowest scope gives. */
  readonly timeout?: number;
  readonly limits: Partial<Limits>;
  /** Models, permissions and the rest as they are in force, every scope and trust considered. */
  readonly settings: Settings;
  /** What hooks get, by scope: a hook lives by what its own scope and higher ones say. */
  readonly sites: Readonly<Record<FileScope, Omit<DefinitionSite, "root">>>;
  readonly trust: ConfigTrust;
  /** `.agent/hook.toml` of the working folder; only the programs that are trusted. */
  readonly agent_hooks?: { readonly file: string; readonly hooks: AgentHooks };
  /** What is worth knowing and stops nothing. */
  readonly warnings: readonly Warning[];
  /**
   * Set when the files can't be used as they are. `last_good`: this is what they said when they last could. Otherwise
   * nothing is known of them, and gates must stay closed.
   */
  readonly broken?: { readonly problems: readonly Problem[]; readonly last_good: boolean };
}
