import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Driver, Script, Step } from "../../../src/know/prove/driver.ts";
import { newProject, type Project } from "../../cli/support/project.ts";
import { CLI } from "../../cli/support/run-cli.ts";

export type { Step };

/** How an agent is run. */
export interface ClientRun {
  readonly project: Project;
  /** What the model says, request for request; then it says "done". */
  readonly script?: readonly Step[];
  /** The same for a subagent, which is known by a word of its first message. */
  readonly subagent?: { readonly word: string; readonly script: readonly Step[] };
  readonly prompt?: string;
  /** The folder it starts in. Default: the project. */
  readonly cwd?: string;
  /** A command that starts it: `tenterhook run --`. */
  readonly through?: readonly string[];
}

/** What became of it. */
export interface ClientResult {
  readonly code: unknown;
  /** The requests of the conversation, without those for titles and the like. */
  readonly requests: readonly unknown[];
  /** Every text the model was sent in the last request. */
  readonly lastSent: string;
}

/** A real agent as tests drive it. */
export interface Client {
  readonly agent: string;
  /** The agent's name for people. */
  readonly title: string;
  /** What `tenterhook install <agent>` is given besides. */
  readonly installOptions?: readonly string[];
  /** A step in which the model runs a line in the shell. */
  shell(line: string): Step;
  /** A step with a call that fails. Default: a line in the shell that ends with 3. */
  readonly failing?: Step;
  readonly script?: Driver["script"];
  /** A step in which the model starts a subagent with a prompt; absent when the agent has none. */
  startSubagent?(prompt: string): Step;
  run(given: ClientRun): Promise<ClientResult>;
}

/** What the model says in a run, as the drivers take it. */
export function scriptOf({ script = [], subagent }: Pick<ClientRun, "script" | "subagent">): Script {
  const below = subagent && { subagent: { word: subagent.word, steps: subagent.script } };
  return { steps: script, ...below };
}

/** A project whose agents find this build of ours on their PATH. */
export function clientProject(): Project {
  const project = newProject();
  const programs = join(project.folder, "bin");
  mkdirSync(programs);
  symlinkSync(CLI, join(programs, "tenterhook"));
  // Most agents find the settings of a project from a folder below it only in a real repository.
  execFileSync("git", ["init", "--quiet"], { cwd: project.cwd });
  project.environment.PATH = [programs, process.env.PATH].join(delimiter);
  return project;
}

/** Starts an agent with `tenterhook run` under this name. */
export function watchAs(name: string): readonly string[] {
  return [process.execPath, CLI, "run", "--name", name, "--"];
}

/** A command line, started by another one if there is one. */
export function startedBy(
  through: readonly string[] | undefined,
  program: string,
  args: readonly string[],
): readonly [program: string, args: readonly string[]] {
  const [first = program, ...rest] = [...(through ?? []), program, ...args];
  return [first, rest];
}

/** Trusts these hooks, and installs us for them into an agent. */
export async function installInto(
  agent: string,
  project: Project,
  hooks: readonly object[],
  { options = [], more = {} }: { readonly options?: readonly string[]; readonly more?: object } = {},
): Promise<void> {
  await project.configure(hooks, more);
  const { code, stderr } = await project.run(["install", agent, ...options]);
  if (code !== 0) throw new Error(stderr);
}
