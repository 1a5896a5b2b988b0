import { readSync, renameSync, rmSync, type Stats, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { isRecord } from "../../../core/base/json.ts";
import { temporaryBeside } from "../../../node/files/atomic-write.ts";
import { fromJson } from "../encode.ts";
import { isMetadata } from "../metadata.ts";
import { openToRead } from "./open-to-read.ts";
import { scanLines } from "./scan-lines.ts";
import { applyText, type SessionAgents } from "./session-agents.ts";

const VERSION = 1;
/** When so much was read to bring an index up to date, the next reader is to have it easier. */
const WORTH_WRITING_BYTES = 256 * 1024;

/** So many bytes before the end of what an index covers tell whether the file still is the one it was made of. */
const TAIL_BYTES = 128;

/** What is known of a session up to a byte of its file. */
export interface SessionIndex {
  readonly identity: string;
  readonly agents: SessionAgents;
  readonly covers: number;
}

/** Which file it is, as far as the file system can tell: one that was made anew is another one. */
export function identityOf({ ino, birthtimeMs }: Pick<Stats, "ino" | "birthtimeMs">): string {
  return `${ino}-${birthtimeMs}`;
}

/**
 * Reads what is known of the agents of a session: from the index beside its file, and from what was appended since. The
 * index is never needed and never trusted further than it reaches; without one the whole file is read.
 *
 * @returns `undefined` when there is no such session.
 */
export async function readIndex(file: string, signal?: AbortSignal): Promise<SessionAgents | undefined> {
  const handle = await openToRead(file);
  if (handle === undefined) return undefined;
  try {
    const status = await handle.stat();
    const identity = identityOf(status);
    const known = await readIndexFile(file, identity);
    // A power cut, or who puts an older text in its place, leaves less than there was; then other lines may follow.
    const usable =
      known !== undefined && known.covers <= status.size && known.tail === tailOf(handle.fd, known.covers);
    const agents: SessionAgents = usable ? known.agents : new Map();
    const covers = usable ? known.covers : 0;
    if (covers === status.size) return agents;
    const { end } = await scanLines(handle.fd, covers, ({ text }) => applyText(agents, text), { signal });
    if (end - covers > WORTH_WRITING_BYTES) writeIndex(file, handle.fd, { identity, agents, covers: end });
    return agents;
  } finally {
    await handle.close();
  }
}

/** The last bytes of what an index covers. */
function tailOf(open: number, covers: number): string {
  const bytes = Buffer.alloc(Math.min(TAIL_BYTES, covers));
  return bytes.toString("latin1", 0, readSync(open, bytes, 0, bytes.length, covers - bytes.length));
}

/**
 * Writes the index of a session, whose file is open. That it can't be written harms nobody, nor does one that a power cut spoilt: it can't be
 * read.
 */
export function writeIndex(file: string, open: number, { identity, agents, covers }: SessionIndex): void {
  const written = temporaryBeside(file);
  try {
    const tail = tailOf(open, covers);
    const text = JSON.stringify({ version: VERSION, identity, covers, agents: [...agents.values()], tail });
    writeFileSync(written, text, { flag: "wx", mode: 0o600 });
    renameSync(written, indexFile(file));
  } catch {
    rmSync(written, { force: true });
  }
}

/** Where the index of a session is. */
export function indexFile(file: string): string {
  return file.replace(/\.jsonl$/, ".index.json");
}

async function readIndexFile(
  file: string,
  identity: string,
): Promise<(SessionIndex & { readonly tail: string }) | undefined> {
  const text = await readFile(indexFile(file), "utf8").catch(() => "");
  const index = fromJson(text);
  if (!isRecord(index) || index.version !== VERSION || index.identity !== identity) return undefined;
  const { covers, tail, agents } = index;
  if (typeof covers !== "number" || typeof tail !== "string") return undefined;
  if (!Array.isArray(agents) || !agents.every(isMetadata)) return undefined;
  return { identity, covers, tail, agents: new Map(agents.map((agent) => [agent.agent_id, agent])) };
}
