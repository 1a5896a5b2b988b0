import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isTenterhookError } from "../../../core/base/errors.ts";
import type { TranscriptMetadata } from "../../../core/contracts/transcript.ts";
import { fileName } from "../../../node/files/file-name.ts";
import { systemCode } from "../../../node/system-code.ts";
import { readAgents } from "./read-session.ts";

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
): AsyncGenerator<{ readonly file: string; readonly agents: readonly TranscriptMetadata[] }> {
  const files = session_id === undefined ? await sessionFiles(folder) : [sessionFile(folder, session_id)];
  const read = session_id === undefined ? readIfOurs : readAgents;
  for (let from = 0; from < files.length; from += AT_ONCE) {
    const some = files.slice(from, from + AT_ONCE).map(async (file) => ({
      file,
      agents: await read(file, signal),
    }));
    yield* await Promise.all(some);
  }
}

/** The file of the session an agent is in; all are searched. */
export async function fileOfAgent(
  folder: string,
  agent_id: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const isIn = (agents: readonly TranscriptMetadata[]): boolean =>
    agents.some((agent) => agent.agent_id === agent_id);
  // The root agent of a session usually has its id.
  const own = sessionFile(folder, agent_id);
  if (isIn(await readAgents(own, signal))) return own;
  for await (const { file, agents } of agentsIn(folder, undefined, signal)) if (isIn(agents)) return file;
  return undefined;
}

async function readIfOurs(file: string, signal?: AbortSignal): Promise<readonly TranscriptMetadata[]> {
  try {
    return await readAgents(file, signal);
  } catch (error) {
    if (isTenterhookError(error) || NOT_OURS.includes(systemCode(error))) return [];
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
