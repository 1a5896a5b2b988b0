import { readSync, renameSync, rmSync, type Stats, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { isRecord, parseJson } from "../../../core/base/json.ts";
import { temporaryFileFor } from "../../../node/files/atomic-write.ts";
import { isMetadata } from "../records.ts";
import { applyLine, headOf, readLine, type SessionAgents } from "./lines.ts";
import { openToRead, scanLines } from "./scan-lines.ts";

const VERSION = 1;
/** A reader that read this much beyond the index writes a new one. */
const WORTH_WRITING_BYTES = 256 * 1024;

/** The bytes before the end of what an index covers. They show whether the file is still the same. */
const TAIL_BYTES = 128;

/** The agents of a session as of a byte of its file. */
export interface SessionIndex {
  readonly identity: string;
  readonly agents: SessionAgents;
  readonly covers: number;
}

/** Tells a file from one that was later created with the same name. */
export function identityOf({ ino, birthtimeMs }: Pick<Stats, "ino" | "birthtimeMs">): string {
  return `${ino}-${birthtimeMs}`;
}

/**
 * Reads the agents of a session: from the index next to its file, and from what was appended since. The index is optional
 * and trusted only up to the byte it covers; without one the whole file is read.
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
    // A power cut or a restored backup shortens the file; then other lines may follow.
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

/** Applies a line without parsing messages and items, which are most of the file. */
function applyText(agents: SessionAgents, text: string): void {
  const kind = headOf(text)?.kind;
  const line = kind === "message" || kind === "item" ? undefined : readLine(text);
  if (line !== undefined) applyLine(agents, line);
}

function tailOf(open: number, covers: number): string {
  const bytes = Buffer.alloc(Math.min(TAIL_BYTES, covers));
  return bytes.toString("latin1", 0, readSync(open, bytes, 0, bytes.length, covers - bytes.length));
}

/** Writes the index of a session whose file is open. Failing is harmless, and so is an index that a power cut damaged. */
export function writeIndex(file: string, open: number, { identity, agents, covers }: SessionIndex): void {
  const written = temporaryFileFor(file);
  try {
    const tail = tailOf(open, covers);
    const text = JSON.stringify({ version: VERSION, identity, covers, agents: [...agents.values()], tail });
    writeFileSync(written, text, { flag: "wx", mode: 0o600 });
    renameSync(written, indexFile(file));
  } catch {
    rmSync(written, { force: true });
  }
}

export function indexFile(file: string): string {
  return file.replace(/\.jsonl$/, ".index.json");
}

async function readIndexFile(
  file: string,
  identity: string,
): Promise<(SessionIndex & { readonly tail: string }) | undefined> {
  const text = await readFile(indexFile(file), "utf8").catch(() => "");
  const index = parseJson(text);
  if (!isRecord(index) || index.version !== VERSION || index.identity !== identity) return undefined;
  const { covers, tail, agents } = index;
  if (typeof covers !== "number" || typeof tail !== "string") return undefined;
  if (!Array.isArray(agents) || !agents.every(isMetadata)) return undefined;
  return { identity, covers, tail, agents: new Map(agents.map((agent) => [agent.agent_id, agent])) };
}
