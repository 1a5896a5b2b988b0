import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isTenterhookError } from "../../../core/base/errors.ts";
import type { TranscriptMetadata } from "../../../core/contracts/transcript.ts";
import { systemCode } from "../../../node/system-code.ts";
import { fileName } from "../../file-name.ts";
import { readIndex } from "./index-file.ts";
import type { SessionAgents } from "./lines.ts";

const SUFFIX = ".jsonl";
const AT_ONCE = 16;

export function sessionFile(folder: string, session_id: string): string {
  return join(folder, `${fileName(session_id)}${SUFFIX}`);
}

/** Errors of a file that is not a session, or not a session of this user. */
const NOT_OURS: readonly (string | undefined)[] = ["EACCES", "EPERM", "EISDIR", "ELOOP", "ENXIO"];

/**
 * The agents of all sessions of a folder, or of one, with the files they are in. Among all, a session that this user or
 * this version can't read is skipped: it must not hide the others.
 */
export async function* agentsIn(
  folder: string,
  session_id: string | undefined,
  signal?: AbortSignal,
): AsyncGenerator<{ readonly file: string; readonly agents: Iterable<TranscriptMetadata> }> {
  const files = session_id === undefined ? await sessionFiles(folder) : [sessionFile(folder, session_id)];
  const read = session_id === undefined ? readIfOurs : readIndex;
  for (let from = 0; from < files.length; from += AT_ONCE) {
    const some = files.slice(from, from + AT_ONCE).map(async (file) => ({
      file,
      agents: (await read(file, signal))?.values() ?? [],
    }));
    yield* await Promise.all(some);
  }
}

/** Where to search for an agent: in one file only, or in the likely files first. */
type Search = { readonly signal: AbortSignal | undefined } & (
  | { readonly only: string; readonly likely?: never }
  | { readonly likely: readonly (string | undefined)[]; readonly only?: never }
);

export async function fileOfAgent(
  folder: string,
  agent_id: string,
  { only, likely = [only], signal }: Search,
): Promise<string | undefined> {
  for (const file of likely)
    if (file !== undefined && (await readIndex(file, signal))?.has(agent_id) === true) return file;
  if (only !== undefined) return undefined;
  for await (const { file, agents } of agentsIn(folder, undefined, signal))
    for (const agent of agents) if (agent.agent_id === agent_id) return file;
  return undefined;
}

async function readIfOurs(file: string, signal?: AbortSignal): Promise<SessionAgents | undefined> {
  try {
    return await readIndex(file, signal);
  } catch (error) {
    if (isTenterhookError(error) || NOT_OURS.includes(systemCode(error))) return undefined;
    throw error;
  }
}

async function sessionFiles(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  });
  return names.filter((name) => name.endsWith(SUFFIX)).map((name) => join(folder, name));
}
