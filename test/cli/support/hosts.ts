import type { Project } from "./project.ts";
import type { CliResult } from "./run-cli.ts";
import { callDaemon, servedProject } from "./served-project.ts";

/** A place where calls are decided. */
export interface TestedHost {
  /** Configures the project, and has a daemon run where that decides. */
  readonly configure: (project: Project, definitions: readonly object[]) => Promise<void>;
  readonly decide: (project: Project, payload: object) => Promise<CliResult>;
}

/** The two places, for suites of what holds in both. */
export const HOSTS: readonly (readonly [name: string, host: TestedHost])[] = [
  [
    "in a process of its own",
    {
      configure: (project, definitions) => project.configure(definitions),
      decide: (project, payload) => project.hook(payload),
    },
  ],
  [
    "in the daemon",
    {
      configure: async (project, definitions) => {
        await servedProject(definitions, { project });
      },
      decide: (project, payload) => callDaemon(project, payload),
    },
  ],
];
