import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { TranscriptMetadata } from "../../../core/transcript.ts";
import { systemCode } from "../../../node/system-code.ts";
import { fileName } from "../../file-name.ts";
import { readIndex } from "./index-file.ts";

const SUFFIX = ".jsonl";
const AT_ONCE = 16;

/** The file of a session. */
export function sessionFile(folder: string, session_id: string): string {
  return join(folder, `${fileName(session_id)}${SUFFIX}`);
}

/** The agents of all sessions of a folder, or of one, with the files they are in. */
export async function* agentsIn(
  folder: string,
  session_id: string | undefined,
  signal?: AbortSignal,
): AsyncGenerator<{ readonly file: string; readonly agents: Iterable<TranscriptMetadata> }> {
  const files = session_id === undefined ? await sessionFiles(folder) : [sessionFile(folder, session_id)];
  for (let from = 0; from < files.length; from += AT_ONCE) {
    const some = files.slice(from, from + AT_ONCE).map(async (file) => ({
      file,
      agents: (await readIndex(file, signal))?.values() ?? [],
    }));
    yield* await Promise.all(some);
  }
}

/** The file that holds an agent. The guesses are looked at before all others. */
export async function fileOfAgent(
  folder: string,
  agent_id: string,
  guesses: readonly (string | undefined)[],
  signal?: AbortSignal,
): Promise<string | undefined> {
  for (const file of guesses)
    if (file !== undefined && (await readIndex(file, signal))?.has(agent_id) === true) return file;
  for await (const { file, agents } of agentsIn(folder, undefined, signal))
    for (const agent of agents) if (agent.agent_id === agent_id) return file;
  return undefined;
}

async function sessionFiles(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  });
  return names.filter((name) => name.endsWith(SUFFIX)).map((name) => join(folder, name));
}
