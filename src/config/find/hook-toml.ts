import { z } from "zod";
import { issueProblems } from "../parse/issues.ts";
import { ConfigError } from "../parse/problem.ts";
import { readConfigFile } from "../parse/read-file.ts";
import { flag, object, text } from "../schema/values.ts";

const args = z.array(z.string({ error: "a text" }), { error: "a list of texts" }).default([]);

const SCHEMA = object({
  turn_start: object({ command: text, args, run_on_hook_input: flag.default(true) }).exactOptional(),
  turn_end: object({ command: text, args }).exactOptional(),
});

/** What `.agent/hook.toml` says: a program for the start of a turn and one for its end. */
export type AgentHooks = z.infer<typeof SCHEMA>;

/**
 * Reads a `.agent/hook.toml` that is there.
 *
 * @throws ConfigError for TOML that does not parse, a key nobody reads, or a value that can't be.
 */
export async function readAgentHooks(file: string, signal: AbortSignal | undefined): Promise<AgentHooks> {
  const parsed = await readConfigFile(file, signal);
  const result = SCHEMA.safeParse(parsed.value);
  if (!result.success) throw new ConfigError(issueProblems(result.error.issues, parsed, []));
  return result.data;
}
