import { beforeAll } from "vitest";
import type { AtEnd } from "../../support/temporary-folder.ts";
import { newProject, type Project, type ProjectOptions, shellCall } from "./project.ts";
import type { CliResult } from "./run-cli.ts";
import { callDaemon, servedProject } from "./served-project.ts";

/** A place where calls are decided. */
export interface TestedHost {
  readonly options: ProjectOptions;
  /** Has a daemon run where that decides. */
  readonly open: (project: Project, atEnd: AtEnd) => Promise<unknown>;
  readonly decide: (project: Project, payload: object) => Promise<CliResult>;
}

const cached = { cached: true } as const;
const alone: Pick<TestedHost, "open" | "decide"> = {
  open: async () => undefined,
  decide: (project, payload) => project.hook(payload),
};

/** The test's process, which decides as one of its own does. */
export const HERE: TestedHost = { ...alone, options: { decidesHere: true } };

/** The two places, for suites of what holds in both. */
export const HOSTS: readonly (readonly [name: string, host: TestedHost])[] = [
  ["in a process of its own", { ...alone, options: cached }],
  [
    "in the daemon",
    {
      options: cached,
      open: (project, atEnd) => servedProject([], { project, atEnd }),
      decide: callDaemon,
    },
  ],
];

/** A project of all tests of a `describe`, so that a daemon starts once for them. */
interface HostedProject {
  readonly project: () => Project;
  readonly configure: (definitions: readonly object[]) => Promise<void>;
  /** What a call gets that is not the same as an earlier one. */
  readonly decide: (payload: object) => Promise<CliResult>;
}

/** Call it in a `describe`. */
export function hostedProject({ options, open, decide }: TestedHost): HostedProject {
  let made: Project | undefined;
  let calls = 0;
  const project = (): Project => {
    if (made === undefined) throw new Error("The tests have not begun.");
    return made;
  };
  beforeAll(async () => {
    const ends: Parameters<AtEnd>[0][] = [];
    const atEnd: AtEnd = (end) => void ends.unshift(end);
    made = newProject({ ...options, atEnd });
    await open(made, atEnd);
    return async () => {
      for (const end of ends) await end();
    };
  });
  return {
    project,
    configure: async (definitions) => {
      await project().configure(definitions);
      await project().readConfig(shellCall("true"));
    },
    decide: (payload) => {
      calls += 1;
      return decide(project(), { tool_use_id: `call-${calls}`, ...payload });
    },
  };
}
