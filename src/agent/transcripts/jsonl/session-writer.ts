import { closeSync, fdatasync, fstatSync, rmSync, type Stats, writeSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { openForAppending } from "../../../node/files/append.ts";
import { makePrivateFolder, syncFolder } from "../../../node/files/folders.ts";
import { systemCode } from "../../../node/system-code.ts";
import { TORN } from "./lines.ts";
import { type Scanned, scanLines } from "./scan-lines.ts";
import { type Change, SessionState } from "./session-state.ts";

/** How bytes reach the disk. */
export interface WriteFiles {
  write(open: number, bytes: Uint8Array): number;
  /** Resolves when what was written survives a power cut. */
  sync(open: number): Promise<void>;
}

export const systemFiles: WriteFiles = { write: writeSync, sync: promisify(fdatasync) };

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
  private writing: Promise<void> | undefined = undefined;
  /** Stays open for a moment: opening costs more than writing. */
  private open: number | undefined = undefined;
  private idle: NodeJS.Timeout | undefined = undefined;
  /** The name of the file may not be on the disk yet. */
  private isNew = false;

  constructor(file: string, files: WriteFiles = systemFiles) {
    this.file = file;
    this.files = files;
  }

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

  /** Removes the file when no agent is left in it; true when it did. */
  removeIfEmpty(): boolean {
    if (this.state.agents.size > 0 || this.busy) return false;
    this.startOver();
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
    try {
      const { open, size } = this.opened();
      await this.writeBatch(open, size, batch);
      if (durable) await this.makeDurable(open);
    } catch (error) {
      // What reached the file is unknown; the next write finds out.
      this.startOver();
      throw error;
    } finally {
      this.writing = undefined;
    }
  }

  private async writeBatch(open: number, size: number, batch: readonly Change[]): Promise<void> {
    const { end, seen } = await this.readNew(open, size);
    const lines = batch.flatMap((change) => this.state.linesFor(change));
    if (lines.length === 0) return;
    const torn = seen > end ? [TORN] : [];
    const bytes = Buffer.from(`${[...torn, ...lines].join("\n")}\n`);
    // One write: the system moves to the end of the file and writes in one step, also when other processes write.
    // On a full disk it may take a part; then the next write says why.
    for (let at = 0; at < bytes.length; ) at += this.files.write(open, bytes.subarray(at));
    this.state.written = seen + bytes.length;
  }

  private async makeDurable(open: number): Promise<void> {
    await this.files.sync(open);
    if (this.isNew) syncFolder(dirname(this.file));
    this.isNew = false;
  }

  private opened(): { readonly open: number; readonly size: number } {
    // What is written to a file that was deleted is lost.
    let status = this.open === undefined ? undefined : fstatSync(this.open);
    if (status?.nlink === 0) this.closeFile();
    this.open ??= openInFolder(this.file);
    if (status === undefined || status.nlink === 0) status = fstatSync(this.open);
    this.idle ??= setTimeout(() => {
      if (this.busy) this.idle?.refresh();
      else this.closeFile();
    }, IDLE_MILLISECONDS).unref();
    this.idle.refresh();
    const { size } = status;
    this.isNew ||= size === 0;
    const identity = identityOf(status);
    if (identity !== this.state.identity || size < this.state.end) this.state = new SessionState(identity);
    return { open: this.open, size };
  }

  private startOver(): void {
    this.closeFile();
    this.state = new SessionState("");
  }

  /** Reads what others appended since the last look. What this process wrote is read again only together with it. */
  private async readNew(open: number, size: number): Promise<Scanned> {
    const { state } = this;
    if (size === state.written) state.end = size;
    if (size === state.end) return { end: size, seen: size };
    const scanned = await scanLines(open, state.end, ({ text }) => state.take(text));
    state.end = scanned.end;
    return scanned;
  }
}

/** Tells a file from one that was later created with the same name. */
function identityOf({ ino, birthtimeMs }: Stats): string {
  return `${ino}-${birthtimeMs}`;
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
