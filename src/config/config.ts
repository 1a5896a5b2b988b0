import type { DefinitionSite } from "../core/contracts/definition-site.ts";
import type { Origin } from "../core/registration/hook.ts";
import type { Limits } from "../core/registration/limits.ts";
import type { Settings } from "./combine/merge-settings.ts";
import type { FileScope, Source } from "./find/discover.ts";
import type { AgentHooks } from "./find/hook-toml.ts";
import type { RecordedInstallation } from "./find/installations.ts";
import type { Problem, Warning } from "./parse/problem.ts";
import type { Definition } from "./schema/definition.ts";

/** A hook of the configuration. */
export interface ConfigDefinition {
  /** Its name in hook sets. When a higher scope has the same name, the scope is added: `project:guard`. */
  readonly name: string;
  /** As written in the file. */
  readonly definition: Definition;
  /** False when the definition or `hooks.disabled` turns it off. */
  readonly enabled: boolean;
  /** The rules of a pack's hook that `hooks.disabled` turns off, by name; `definition` is without them. */
  /** When `hooks.disabled` has it on again, if it is off for a while. */
  readonly off_until?: string;
  readonly rules_off?: readonly string[];
  /** Seconds: its own, or that of its scope or a higher one. Default: the hook set's. */
  readonly timeout?: number;
  readonly origin: Required<Omit<Origin, "managed_by">> &
    Pick<Origin, "managed_by"> & { readonly scope: FileScope };
  /** The folder its scripts and commands start in. */
  readonly root: string;
  /** The project it comes from; absent for user and managed hooks, which hold for every project. */
  readonly project?: string;
  /** Set among the hooks of one event: it reads the `usage` of the event. */
  readonly reads_usage?: true;
  /** The pack it came with. */
  readonly pack?: string;
  /** The files it runs as they were when trust was checked; they are compared again before they run. */
  readonly files?: readonly { readonly path: string; readonly value: string }[];
  /** The files it runs that were trusted and are gone: nothing else keeps it from running. */
  readonly gone_files?: readonly string[];
  /** Why it must not run: the user has not trusted it. It fails whenever it is asked. */
  readonly untrusted?: string;
}

/** Whether the user trusts the files of a project. */
export interface ConfigTrust {
  /** The real path of the nearest project; the working folder if there is no project. */
  readonly root: string;
  /** Of all projects around the working folder. `nothing`: there is nothing that needs trust. */
  readonly state: "trusted" | "untrusted" | "nothing";
  /** What is not in force and why. */
  readonly untrusted: readonly {
    readonly name: string;
    readonly file: string;
    readonly line?: number;
    readonly reason: string;
  }[];
  /** Hooks, packs, permissions and sandboxes that were trusted and no longer exist: gates refuse until the user accepts it. */
  readonly gone?: readonly { readonly name: string; readonly file: string }[];
  /** Trusted files with guards that have changed since: every gate refuses until they are reviewed. */
  readonly changed?: readonly string[];
  /** Why the stored trust can't be read. */
  readonly problem?: string;
}

/** The combined configuration of all scopes. Plain data. */
export interface Config {
  /** Every file that was read, in order of precedence. */
  readonly files: readonly Source[];
  /** Every hook in the order of scopes and files, untrusted ones included. */
  readonly definitions: readonly ConfigDefinition[];
  /** Hooks that come with every configuration in force and are in none of its files. */
  readonly guards: readonly ConfigDefinition[];
  /** Seconds for hooks from code: the timeout of the lowest scope. */
  readonly timeout?: number;
  readonly limits: Partial<Limits>;
  /** Models, permissions and the other sections in force, after scopes and trust. */
  readonly settings: Settings;
  /** What handlers get, by scope: only what their own scope and higher ones say. */
  readonly sites: Readonly<Record<FileScope, Omit<DefinitionSite, "root">>>;
  readonly trust: ConfigTrust;
  /** The trusted programs of `.agent/hook.toml` in the working folder. */
  readonly agent_hooks?: { readonly file: string; readonly hooks: AgentHooks };
  /** The settings files of agents from which our entries have disappeared. */
  readonly vanished?: readonly RecordedInstallation[];
  /** Warnings that stop nothing. */
  readonly warnings: readonly Warning[];
  /**
   * Set when the files can't be used as they are. `last_good`: this is their last usable content. Otherwise
   * nothing is known of them, and gates must stay closed.
   */
  readonly broken?: { readonly problems: readonly Problem[]; readonly last_good: boolean };
}
