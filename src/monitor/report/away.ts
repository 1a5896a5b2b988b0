import { rmSync } from "node:fs";
import { join } from "node:path";
import { isRecord, parseJson } from "../../core/base/json.ts";
import { writeAtomically } from "../../node/files/atomic-write.ts";
import { makePrivateFolder } from "../../node/files/folders.ts";
import { readOwnFile } from "../../node/files/own-file.ts";
import { stateFolder } from "../../node/user-folders.ts";

/** The user is not at the agents' terminals. */
export interface Away {
  readonly since: string;
  /** Absent: until the user is back. */
  readonly until?: string;
}

const MOST_BYTES = 1000;

/** Whether the user is away now. Never throws. */
export function awayNow(environment: NodeJS.ProcessEnv, now = Date.now()): Away | undefined {
  const value = parseJson(readOwnFile(awayFile(environment), MOST_BYTES).text ?? "");
  if (!isRecord(value) || typeof value.since !== "string") return undefined;
  const { since, until } = value;
  if (typeof until !== "string") return { since };
  return Date.parse(until) > now ? { since, until } : undefined;
}

/**
 * Notes that the user is away, for so many seconds or until {@link comeBack}. Questions of agents that hide their own dialog
 * meanwhile then wait as long as those of others.
 *
 * @throws the file system's error.
 */
export async function goAway(environment: NodeJS.ProcessEnv, seconds?: number): Promise<Away> {
  const now = Date.now();
  const away: Away = {
    since: new Date(now).toISOString(),
    ...(seconds === undefined ? {} : { until: new Date(now + seconds * 1000).toISOString() }),
  };
  makePrivateFolder(stateFolder(environment));
  await writeAtomically(awayFile(environment), JSON.stringify(away));
  return away;
}

/** @throws the file system's error. */
export function comeBack(environment: NodeJS.ProcessEnv): void {
  rmSync(awayFile(environment), { force: true });
}

function awayFile(environment: NodeJS.ProcessEnv): string {
  return join(stateFolder(environment), "away.json");
}
