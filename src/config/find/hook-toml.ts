import { field, issuesIn, neededField, schemas, type ValueOf } from "../../core/base/schemas.ts";
import { Inputs } from "../inputs/inputs.ts";
import { issueProblems } from "../parse/issues.ts";
import { ConfigError, inOrder } from "../parse/problem.ts";
import { readConfigFile } from "../parse/read-file.ts";
import { agentFileIn } from "./agent-folder.ts";

const program = {
  command: neededField(schemas.text, "The program."),
  args: field(schemas.list(schemas.string, "a list of strings"), "Its arguments."),
};

const FILE = schemas.object({
  turn_start: field(
    schemas.object({
      ...program,
      run_on_hook_input: field(schemas.boolean, "Also on turns that a hook started."),
    }),
    "Runs when a turn starts.",
  ),
  turn_end: field(schemas.object(program), "Runs when a turn ends."),
});

interface TurnProgram {
  readonly command: string;
  readonly args: readonly string[];
}

/** What `.agent/hook.toml` says: a program for the start of a turn and one for its end. */
export interface AgentHooks {
  readonly turn_start?: TurnProgram & { readonly run_on_hook_input: boolean };
  readonly turn_end?: TurnProgram;
}

/** A `.agent/hook.toml` as it was read. */
export interface AgentFile {
  /** The folder its programs start in, under which trust is stored. */
  readonly folder: string;
  readonly file: string;
  /** What identifies its content: what is trusted must be what was read. */
  readonly value: string;
  readonly hooks: AgentHooks;
}

/**
 * Reads the `.agent/hook.toml` of a folder, a real path. It must exist.
 *
 * @throws ConfigError for TOML that does not parse, an unknown key, or an invalid value.
 */
export async function readAgentFile(
  folder: string,
  signal: AbortSignal | undefined,
  inputs = new Inputs(),
): Promise<AgentFile> {
  const file = agentFileIn(folder);
  const { value } = inputs.see("file", file);
  return { folder, file, value, hooks: await readAgentHooks(file, signal, value) };
}

/**
 * Reads a `.agent/hook.toml` that exists.
 *
 * @throws ConfigError for TOML that does not parse, an unknown key, or an invalid value.
 */
export async function readAgentHooks(
  file: string,
  signal: AbortSignal | undefined,
  seen?: string,
): Promise<AgentHooks> {
  const parsed = await readConfigFile(file, signal, seen);
  if (!isFile(parsed.value))
    throw new ConfigError(inOrder(issueProblems(issuesIn(parsed.value, FILE), parsed, [])));
  const { turn_start: start, turn_end: end } = parsed.value;
  return {
    ...(start === undefined ? {} : { turn_start: { args: [], run_on_hook_input: true, ...start } }),
    ...(end === undefined ? {} : { turn_end: { args: [], ...end } }),
  };
}

function isFile(value: unknown): value is ValueOf<typeof FILE> {
  return issuesIn(value, FILE).length === 0;
}
