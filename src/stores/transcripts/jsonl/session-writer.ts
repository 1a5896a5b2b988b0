import { closeSync, fdatasync, fstatSync, readSync, rmSync, type Stats, writeSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { openForAppending } from "../../../node/files/append.ts";
import { makePrivateFolder } from "../../../node/files/private-folder.ts";
import { syncFolder } from "../../../node/files/sync-folder.ts";
import { systemCode } from "../../../node/system-code.ts";
import { identityOf, indexFile, writeIndex } from "./index-file.ts";
import { readLine, tornLine } from "./lines.ts";
import { type Scanned, type ScannedLine, scanLines } from "./scan-lines.ts";
import { type Change, SessionState } from "./session-state.ts";

/** How bytes reach the disk. */
export interface WriteFiles {
  /** Answers how many bytes were written. */
  write(open: number, bytes: Uint8Array): number;
  /** Resolves when what was written outlives a power cut. */
  sync(open: number): Promise<void>;
}

/** The file system itself. */
export const systemFiles: WriteFiles = { write: writeSync, sync: promisify(fdatasync) };

const MOST_TRIES = 4;
const IDLE_MILLISECONDS = 1000;
const ONE_BYTE = new Uint8Array(1);
/** Most of what is written passes through here: bytes of its own for each write would have to be collected. */
const BYTES = Buffer.allocUnsafeSlow(64 * 1024);

/**
 * The one that appends to the file of a session in this process. What is asked for while the disk is busy is written
 * together and made durable at once. Other processes may append too: before each write it reads what they added.
 */
export class SessionWriter {
  /** One that writes nothing. It lives on, and the code compiled for writers with it: see `HookCall` of the engine. */
  protected static readonly lasting = new SessionWriter("");
  readonly file: string;
  private readonly files: WriteFiles;
  private state = new SessionState("");
  /** What the next batch writes, and whether it has to be durable. */
  private waiting: Change[] = [];
  private waitingDurably = false;
  private next: Promise<void> | undefined = undefined;
  /** The batch that is being written. */
  private writing: Promise<void> | undefined = undefined;
  /** Kept open for a moment: opening costs more than writing. */
  private open: number | undefined = undefined;
  private idle: NodeJS.Timeout | undefined = undefined;
  /** It was in use since the timer was looked at. */
  private used = false;
  /** How the file was after the last write. It is held on to, since V8 drops the code for what there is none of. */
  private status: Stats | undefined = undefined;
  /** The name of the file may not be on the disk yet. */
  private isNew = false;
  /** Where a write began of which it is not known what became: lines behind it that can't be read were cut off. */
  private unsure: number | undefined = undefined;
  /** Where the batch that is written begins. */
  private begins = 0;
  /** Behind this byte a sync has failed: what can be read there need not be on the disk, and no later sync says so. */
  private doubted = Number.POSITIVE_INFINITY;

  constructor(file: string, files: WriteFiles = systemFiles) {
    this.file = file;
    this.files = files;
  }

  /** True while something is being written. */
  get busy(): boolean {
    return this.writing !== undefined || this.next !== undefined;
  }

  /** Writes a change; resolves when it is in the file, and on the disk when it is to be durable. */
  write(change: Change, durable: boolean): Promise<void> {
    this.waiting.push(change);
    this.waitingDurably ||= durable;
    this.next ??= this.writeNext(this.writing);
    return this.next;
  }

  /** Resolves when nothing is being written, and lets go of the file. */
  async settled(): Promise<void> {
    while (this.busy) await over(this.next ?? this.writing);
    this.letGo();
  }

  /** Writes down what is known of the agents, so that readers need not find it out. */
  index(): void {
    const { open, unsure, state } = this;
    const { identity, agents, end } = state;
    // While a write is tried again, it is known of more than stands in the file.
    if (open !== undefined && unsure === undefined && identity !== "")
      writeIndex(this.file, open, { identity, agents, covers: end });
  }

  /** Removes the file when no agent is left in it; true when it did. */
  removeIfEmpty(): boolean {
    if (this.state.agents.size > 0 || this.busy) return false;
    this.letGo();
    rmSync(indexFile(this.file), { force: true });
    rmSync(this.file, { force: true });
    this.state = new SessionState("");
    return true;
  }

  private async writeNext(before: Promise<void> | undefined): Promise<void> {
    // What is asked for in the same moment goes with it, or while the batch before is written.
    await (before === undefined ? before : over(before));
    const batch = this.waiting;
    const durable = this.waitingDurably;
    this.waiting = [];
    this.waitingDurably = false;
    this.writing = this.next;
    this.next = undefined;
    this.begins = this.state.end;
    try {
      const writing = this.writeBatch(batch, durable);
      if (writing !== undefined) await writing;
    } catch (error) {
      // What reached the file is not known; the next write finds out.
      this.startOver();
      throw error;
    } finally {
      this.writing = undefined;
    }
  }

  /** Answers a promise only when there is something to wait for: mostly nobody else writes to the file. */
  private writeBatch(batch: readonly Change[], durable: boolean): Promise<void> | undefined {
    const open = this.opened();
    if (readSync(open, ONE_BYTE, 0, 1, this.state.end) > 0) return this.writeAmongOthers(batch, durable);
    const lines = linesOf(batch, this.state);
    // That everything is there already is no use in a file that was deleted.
    if (lines.length === 0 && fstatSync(open).nlink === 0) {
      this.startOver();
      return this.writeAmongOthers(batch, durable);
    }
    if (lines.length > 0 && !this.writeLines(open, lines, "", this.state.end))
      return this.writeAmongOthers(batch, durable, lines);
    return durable ? this.makeDurable(open) : undefined;
  }

  /** The lines that were tried, if any, may be in the file as a whole, in part or not at all. */
  private async writeAmongOthers(
    batch: readonly Change[],
    durable: boolean,
    tried?: readonly string[],
  ): Promise<void> {
    let lines = tried;
    const spoilt: string[] = [];
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      if (this.open === undefined) lines = undefined;
      const open = this.opened();
      const found: ScannedLine[] = [];
      const { end, seen } = await this.readOn(open, (line) => found.push(line));
      // Another process wrote in between, and perhaps died over it: what does not stand there by itself is written again.
      const { unsure = Number.POSITIVE_INFINITY } = this;
      for (const line of found)
        if (line.end >= unsure && readLine(line.text) === undefined) spoilt.push(tornLine(line.end));
      lines = lines === undefined ? linesOf(batch, this.state) : withoutFound(lines, found);
      const torn = [...(seen > end ? ["", tornLine(seen)] : []), ...spoilt];
      const done = lines.length === 0 && spoilt.length === 0;
      if (done || this.writeLines(open, lines, [...torn, ""].join("\n"), seen))
        return durable ? this.makeDurable(open) : undefined;
    }
    throw new Error(`${this.file} takes only parts of what is written.`);
  }

  /** False when something else stands in the file now than was there before with the lines behind it. */
  private writeLines(open: number, lines: readonly string[], mend: string, before: number): boolean {
    let text = mend;
    for (const line of lines) text += `${line}\n`;
    const bytes = bytesOf(text);
    this.unsure ??= before;
    // One write: the system moves to the end and writes in one step, whoever else does the same.
    const written = this.files.write(open, bytes);
    this.status = fstatSync(open);
    const { size, nlink } = this.status;
    // A file without a name was deleted, and what is written to it is lost; one that is shorter is not the one we know.
    if (nlink === 0 || size < before + written) this.startOver();
    else if (size === before + written && written === bytes.length) {
      this.state.end = size;
      this.unsure = undefined;
      return true;
    }
    return false;
  }

  private async makeDurable(open: number): Promise<void> {
    try {
      await this.files.sync(open);
    } catch (error) {
      // The system may drop what it could not write and call the next sync a success: it has to be written again.
      this.doubted = Math.min(this.doubted, this.begins);
      throw error;
    }
    this.doubted = Number.POSITIVE_INFINITY;
    if (this.isNew) syncFolder(dirname(this.file));
    this.isNew = false;
  }

  private opened(): number {
    this.used = true;
    if (this.open !== undefined) return this.open;
    const open = openInFolder(this.file);
    this.open = open;
    this.idle = setTimeout(() => {
      if (!this.busy && !this.used) return this.letGo();
      this.used = false;
      this.idle?.refresh();
    }, IDLE_MILLISECONDS).unref();
    const status = fstatSync(open);
    this.isNew ||= status.size === 0;
    if (status.size < (this.unsure ?? 0)) this.unsure = undefined;
    const identity = identityOf(status);
    if (identity !== this.state.identity || status.size < this.state.end)
      this.state = new SessionState(identity);
    return open;
  }

  private startOver(): void {
    this.letGo();
    this.state = new SessionState("");
  }

  /** Lets go of the file, which must not be in use. It is opened again when it is needed. */
  letGo(): void {
    clearTimeout(this.idle);
    const { open } = this;
    this.open = undefined;
    try {
      if (open !== undefined) closeSync(open);
    } catch {
      // What had to be on the disk was synced before; nobody waits for what a close has to say.
    }
  }

  private async readOn(open: number, found: (line: ScannedLine) => void): Promise<Scanned> {
    const { state, doubted } = this;
    const scanned = await scanLines(open, state.end, (line) => {
      state.take(line.text, line.end >= doubted);
      found(line);
    });
    state.end = scanned.end;
    return scanned;
  }
}

/** Opens the file of a session, also when somebody has deleted its folder. */
function openInFolder(file: string): number {
  try {
    return openForAppending(file);
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
    makePrivateFolder(dirname(file));
    return openForAppending(file);
  }
}

/** Resolves when a batch is written or has failed, which those hear who asked for it. */
async function over(batch: Promise<void> | undefined): Promise<void> {
  try {
    await batch;
  } catch {}
}

/** The bytes of a text, which hold until the next call. */
function bytesOf(text: string): Uint8Array {
  // No character of a text takes more than three bytes.
  return text.length * 3 > BYTES.length ? Buffer.from(text) : BYTES.subarray(0, BYTES.write(text));
}

function linesOf(batch: readonly Change[], state: SessionState): readonly string[] {
  const lines: string[] = [];
  for (const change of batch) state.compose(change, lines);
  return lines;
}

function withoutFound(lines: readonly string[], found: readonly ScannedLine[]): readonly string[] {
  const times = new Map<string, number>();
  for (const { text } of found) times.set(text, (times.get(text) ?? 0) + 1);
  return lines.filter((line) => {
    const left = times.get(line) ?? 0;
    times.set(line, left - 1);
    return left <= 0;
  });
}
