import { closeSync, fdatasync, fstatSync, readSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { openForAppending } from "../../../node/files/append.ts";
import { makePrivateFolder, syncFolder } from "../../../node/files/make-folders.ts";
import { systemCode } from "../../../node/system-code.ts";
import { identityOf, indexFile, writeIndex } from "./index-file.ts";
import { readLine, tornLine } from "./lines.ts";
import { type Scanned, type ScannedLine, scanLines } from "./scan-lines.ts";
import { type Change, SessionState } from "./session-state.ts";

/** How bytes reach the disk. */
export interface WriteFiles {
  /** Returns how many bytes were written. */
  write(open: number, bytes: Uint8Array): number;
  /** Resolves when what was written survives a power cut. */
  sync(open: number): Promise<void>;
}

/** The file system itself. */
export const systemFiles: WriteFiles = { write: writeSync, sync: promisify(fdatasync) };

const MOST_TRIES = 5;
const IDLE_MILLISECONDS = 1000;

/**
 * Appends to the file of a session for this process. Changes that arrive while the disk is busy are written and synced
 * together. Other processes may append too: before each write it reads what they added.
 */
export class SessionWriter {
  readonly file: string;
  private readonly files: WriteFiles;
  private state = new SessionState("");
  /** What the next batch writes, and whether it has to be durable. */
  private waiting: Change[] = [];
  private waitingDurably = false;
  private next: Promise<void> | undefined = undefined;
  /** The batch that is being written. */
  private writing: Promise<void> | undefined = undefined;
  /** Stays open for a moment: opening costs more than writing. */
  private open: number | undefined = undefined;
  private idle: NodeJS.Timeout | undefined = undefined;
  /** The name of the file may not be on the disk yet. */
  private isNew = false;
  /** Where a write began whose result is unknown: lines after it that can't be read were cut off. */
  private unsure: number | undefined = undefined;
  /** Where the current batch begins. */
  private begins = 0;
  /** A sync failed after this offset: what can be read there need not be on the disk, and no later sync says so. */
  private doubted = Number.POSITIVE_INFINITY;

  constructor(file: string, files: WriteFiles = systemFiles) {
    this.file = file;
    this.files = files;
  }

  /** True while something is being written. */
  get busy(): boolean {
    return this.writing !== undefined || this.next !== undefined;
  }

  /** Writes a change; resolves when it is in the file, and on the disk if it has to be durable. */
  write(change: Change, durable: boolean): Promise<void> {
    this.waiting.push(change);
    this.waitingDurably ||= durable;
    this.next ??= this.writeNext(this.writing);
    return this.next;
  }

  /** Waits until nothing is being written, and closes the file. */
  async settled(): Promise<void> {
    while (this.busy) await (this.next ?? this.writing)?.catch(() => {});
    this.closeFile();
  }

  /** Writes the index, so that readers need not read the whole file. */
  index(): void {
    const { open, unsure, state } = this;
    const { identity, agents, end } = state;
    // During a retry the state is ahead of the file.
    if (open !== undefined && unsure === undefined && identity !== "")
      writeIndex(this.file, open, { identity, agents, covers: end });
  }

  /** Removes the file when no agent is left in it; true when it did. */
  removeIfEmpty(): boolean {
    if (this.state.agents.size > 0 || this.busy) return false;
    this.startOver();
    rmSync(indexFile(this.file), { force: true });
    rmSync(this.file, { force: true });
    return true;
  }

  /** Closes the file, which must not be in use. It is opened again when it is needed. */
  closeFile(): void {
    clearTimeout(this.idle);
    const { open } = this;
    this.open = undefined;
    this.idle = undefined;
    try {
      if (open !== undefined) closeSync(open);
    } catch {
      // What had to be on the disk was synced before; an error of the close itself harms nobody.
    }
  }

  private async writeNext(previous: Promise<void> | undefined): Promise<void> {
    // Changes that arrive in the same tick, or while the previous batch is written, join this batch.
    await previous?.catch(() => {});
    const batch = this.waiting;
    const durable = this.waitingDurably;
    this.waiting = [];
    this.waitingDurably = false;
    this.writing = this.next;
    this.next = undefined;
    this.begins = this.state.end;
    try {
      await this.writeBatch(batch);
      if (durable) await this.makeDurable();
    } catch (error) {
      // What reached the file is unknown; the next write finds out.
      this.startOver();
      throw error;
    } finally {
      this.writing = undefined;
    }
  }

  /** Lines of a try that failed may be in the file as a whole, in part or not at all. */
  private async writeBatch(batch: readonly Change[]): Promise<void> {
    let lines: readonly string[] | undefined;
    const spoilt: string[] = [];
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      if (this.open === undefined) lines = undefined;
      const open = this.opened();
      const found: ScannedLine[] = [];
      const { end, seen } = await this.readNew(open, found);
      // Another process wrote in between and may have been killed: what is not a line of its own there is written again.
      const { unsure = Number.POSITIVE_INFINITY } = this;
      for (const line of found)
        if (line.end >= unsure && readLine(line.text) === undefined) spoilt.push(tornLine(line.end));
      lines =
        lines === undefined
          ? batch.flatMap((change) => this.state.linesFor(change))
          : withoutFound(lines, found);
      const torn = [...(seen > end ? ["", tornLine(seen)] : []), ...spoilt];
      if (lines.length > 0 || spoilt.length > 0) {
        if (this.writeLines(open, [...torn, ...lines], seen)) return;
      } else if (fstatSync(open).nlink > 0) return;
      // Lines in a file that was deleted are lost.
      else this.startOver();
    }
    throw new Error(`${this.file} takes only parts of what is written.`);
  }

  /** False when the file does not hold exactly what was there before and these lines. */
  private writeLines(open: number, lines: readonly string[], before: number): boolean {
    const bytes = Buffer.from(`${lines.join("\n")}\n`);
    this.unsure ??= before;
    // One write: the system moves to the end of the file and writes in one step, also when other processes write.
    const written = this.files.write(open, bytes);
    const { size, nlink } = fstatSync(open);
    // A file without a name was deleted, and what is written to it is lost; a shorter file is another one.
    if (nlink === 0 || size < before + written) this.startOver();
    else if (size === before + written && written === bytes.length) {
      this.state.end = size;
      this.unsure = undefined;
      return true;
    }
    return false;
  }

  private async makeDurable(): Promise<void> {
    try {
      await this.files.sync(this.opened());
    } catch (error) {
      // The system may drop what it could not write and report success for the next sync: it has to be written again.
      this.doubted = Math.min(this.doubted, this.begins);
      throw error;
    }
    this.doubted = Number.POSITIVE_INFINITY;
    if (this.isNew) syncFolder(dirname(this.file));
    this.isNew = false;
  }

  private opened(): number {
    if (this.open !== undefined) {
      this.idle?.refresh();
      return this.open;
    }
    const open = openInFolder(this.file);
    this.open = open;
    this.idle = setTimeout(() => {
      if (this.busy) this.idle?.refresh();
      else this.closeFile();
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
    this.closeFile();
    this.state = new SessionState("");
  }

  /** Reads what was appended since the last look. */
  private async readNew(open: number, found: ScannedLine[]): Promise<Scanned> {
    const { state, doubted } = this;
    const { end } = state;
    // Usually there is nothing, and one byte is cheaper than a scan.
    if (readSync(open, new Uint8Array(1), 0, 1, end) === 0) return { end, seen: end };
    const scanned = await scanLines(open, end, (line) => {
      state.take(line.text, line.end >= doubted);
      found.push(line);
    });
    state.end = scanned.end;
    return scanned;
  }
}

/** Opens the file of a session; recreates the folder if it was deleted. */
function openInFolder(file: string): number {
  try {
    return openForAppending(file);
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
    makePrivateFolder(dirname(file));
    return openForAppending(file);
  }
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
