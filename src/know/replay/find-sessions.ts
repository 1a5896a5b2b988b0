import { open, readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { RecordedSessions } from "../../adapters/codec/recorded-session.ts";
import { RECORDED_SESSIONS } from "../../adapters/recorded-sessions.ts";
import { TenterhookError } from "../../core/base/errors.ts";
import { parseRecord } from "../../core/base/json.ts";
import { homeFolder } from "../../node/user-folders.ts";
import { journalSessions, OWN, ownSessions } from "./own-sessions.ts";

export interface SessionFile {
  readonly agent: string;
  /** How it is read; absent for a file of no agent that we know. */
  readonly sessions?: RecordedSessions;
  readonly file: string;
  readonly bytes: number;
}

export interface FindOptions {
  /** Files and folders; without any, the places of all agents. */
  readonly names: readonly string[];
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly agent?: string;
  /** Only files that were written at this time or later. */
  readonly since?: Date;
}

/** All of them, the journal last: it repeats what transcripts tell. */
const ALL: readonly (readonly [agent: string, sessions: RecordedSessions])[] = [
  [OWN, ownSessions],
  ...RECORDED_SESSIONS,
  [OWN, journalSessions],
];

export const REPLAYED_AGENTS: readonly string[] = [OWN, ...RECORDED_SESSIONS.keys()];

/**
 * Finds the files with recorded sessions, those of one agent in the order in which they were last written.
 *
 * @throws TenterhookError `usage_error` for a name that leads nowhere.
 */
export async function findSessions(options: FindOptions): Promise<readonly SessionFile[]> {
  const { names, environment, agent } = options;
  const chosen = ALL.filter(([name]) => agent === undefined || name === agent);
  const found: SessionFile[] = [];
  if (names.length > 0) {
    const files = await namedFiles(names, options);
    for (const one of files) found.push({ ...one, ...(await whose(one.file, chosen)) });
    return found;
  }
  const places = { home: homeFolder(environment), environment };
  for (const [name, sessions] of chosen)
    for (const folder of sessions.folders(places))
      for (const one of await filesBelow(folder, options))
        if (sessions.file.test(one.file)) found.push({ agent: name, sessions, ...one });
  return found;
}

interface Found {
  readonly file: string;
  readonly bytes: number;
}

async function namedFiles(names: readonly string[], options: FindOptions): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const name of names) {
    const path = resolve(options.cwd, name);
    const info = await stat(path).catch(() => undefined);
    if (info === undefined) throw new TenterhookError("usage_error", `There is no file or folder ${name}.`);
    if (info.isDirectory())
      found.push(...(await filesBelow(path, options)).filter(({ file }) => /\.(?:jsonl|db)$/.test(file)));
    else found.push({ file: path, bytes: info.size });
  }
  return found;
}

/** The files of a folder and of those below it, the last written last. Links are not followed; what can't be read is left out. */
async function filesBelow(folder: string, { since }: FindOptions): Promise<readonly Found[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const found: (Found & { readonly changed: number })[] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const info = await stat(file).catch(() => undefined);
    if (info !== undefined && (since === undefined || info.mtimeMs >= since.getTime()))
      found.push({ file, bytes: info.size, changed: info.mtimeMs });
  }
  return found.sort((a, b) => a.changed - b.changed || (a.file < b.file ? -1 : 1));
}

/** So much of a file shows whose it is: the first lines of some hold long texts. */
const LOOKED_AT_BYTES = 1_000_000;

/** Whose a file is, by what it says. */
async function whose(file: string, chosen: typeof ALL): Promise<Pick<SessionFile, "agent" | "sessions">> {
  const start = await startOf(file);
  if (start.startsWith("SQLite format 3")) {
    const [agent, sessions] = chosen.find(([, { rows }]) => rows !== undefined) ?? [];
    return agent === undefined || sessions === undefined ? { agent: "" } : { agent, sessions };
  }
  for (const line of start.split("\n")) {
    const entry = parseRecord(line);
    const row = chosen.find(([, sessions]) => sessions.isIts(entry));
    if (row !== undefined) return { agent: row[0], sessions: row[1] };
  }
  // A file without a whole line is read as whatever was asked for, so that its lines are counted.
  const [only, ...others] = chosen;
  return only !== undefined && others.length === 0 ? { agent: only[0], sessions: only[1] } : { agent: "" };
}

async function startOf(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(LOOKED_AT_BYTES), 0, LOOKED_AT_BYTES, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await handle.close();
  }
}
