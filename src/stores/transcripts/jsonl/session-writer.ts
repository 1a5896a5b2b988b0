import { closeSync, fdatasync, fstatSync, fsyncSync, openSync, rmSync, type Stats, writeSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { openForAppending } from "../../../node/files/append.ts";
import { identityOf, indexFile, writeIndex } from "./index-file.ts";
import { readLine, tornLine } from "./lines.ts";
import { type Scanned, type ScannedLine, scanLines } from "./scan-lines.ts";
import { SessionState } from "./session-state.ts";

/** How bytes reach the disk. */
export interface WriteFiles {
  /** Answers how many bytes were written. */
  write(open: number, bytes: Uint8Array): number;
  /** Resolves when what was written outlives a power cut. */
  sync(open: number): Promise<void>;
}

/** The file system itself. */
export const systemFiles: WriteFiles = { write: writeSync, sync: promisify(fdatasync) };

/** Makes lines of what the file is known to hold. */
type Compose = (state: SessionState) => readonly string[];

interface Write {
  readonly compose: Compose;
  readonly durable: boolean;
  readonly done: (error?: unknown) => void;
}

const MOST_TRIES = 4;
const IDLE_MILLISECONDS = 1000;

/**
 * The one that appends to the file of a session in this process. What is asked for while the disk is busy is written
 * together and made durable at once. Other processes may append too: before each write it reads what they added.
 */
export class SessionWriter {
  readonly file: string;
  private readonly files: WriteFiles;
  private state = new SessionState("");
  private waiting: Write[] = [];
  private working: Promise<void> | undefined;
  /** Kept open for a moment: opening costs more than writing. */
  private open: number | undefined;
  private idle: NodeJS.Timeout | undefined;
  /** The name of the file may not be on the disk yet. */
  private isNew = false;

  constructor(file: string, files: WriteFiles = systemFiles) {
    this.file = file;
    this.files = files;
  }

  /** True while something is being written. */
  get busy(): boolean {
    return this.working !== undefined;
  }

  /** Writes lines; resolves when they are in the file, and on the disk when they are to be durable. */
  write(compose: Compose, durable: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = (error?: unknown): void => (error === undefined ? resolve() : reject(error));
      this.waiting.push({ compose, durable, done });
      this.working ??= this.work();
    });
  }

  /** Resolves when nothing is being written, and lets go of the file. */
  async settled(): Promise<void> {
    await this.working;
    this.letGo();
  }

  /** Writes down what is known of the agents, so that readers need not find it out. */
  async index(): Promise<void> {
    const { identity, agents, end } = this.state;
    if (identity !== "") await writeIndex(this.file, identity, { agents, covers: end });
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

  private async work(): Promise<void> {
    // What is asked for in the same moment goes with it.
    await Promise.resolve();
    while (this.waiting.length > 0) {
      const batch = this.waiting;
      this.waiting = [];
      let failure: unknown;
      try {
        await this.writeBatch(batch);
      } catch (error) {
        failure = error ?? new Error("unknown");
        this.letGo();
        // What reached the file is not known; the next write finds out.
        this.state = new SessionState("");
      }
      if (this.waiting.length === 0) this.working = undefined;
      for (const { done } of batch) done(failure);
      if (this.working === undefined) return;
    }
  }

  private async writeBatch(batch: readonly Write[]): Promise<void> {
    const { open, status } = this.opened();
    this.isNew ||= status.size === 0;
    const seen = await this.catchUp(open, status);
    await this.writeLines(
      open,
      batch.flatMap(({ compose }) => compose(this.state)),
      seen > this.state.end ? `\n${tornLine(seen)}\n` : "",
      seen,
    );
    if (!batch.some(({ durable }) => durable)) return;
    await this.files.sync(open);
    if (this.isNew) syncFolder(dirname(this.file));
    this.isNew = false;
  }

  private opened(): { readonly open: number; readonly status: Stats } {
    if (this.open !== undefined) {
      const status = fstatSync(this.open);
      // Without a name it was deleted, and what is written to it would be lost.
      if (status.nlink > 0) {
        this.idle?.refresh();
        return { open: this.open, status };
      }
      this.letGo();
    }
    this.open = openForAppending(this.file);
    this.idle = setTimeout(
      () => (this.busy ? this.idle?.refresh() : this.letGo()),
      IDLE_MILLISECONDS,
    ).unref();
    return { open: this.open, status: fstatSync(this.open) };
  }

  private letGo(): void {
    clearTimeout(this.idle);
    if (this.open !== undefined) closeSync(this.open);
    this.open = undefined;
  }

  private async writeLines(
    open: number,
    lines: readonly string[],
    mend: string,
    size: number,
  ): Promise<void> {
    let [missing, prefix, seen] = [lines, mend, size];
    for (let tries = 0; missing.length > 0; tries += 1) {
      if (tries === MOST_TRIES) throw new Error(`${this.file} takes only parts of what is written.`);
      const bytes = Buffer.from(`${prefix}${missing.join("\n")}\n`);
      // One write: the system moves to the end and writes in one step, whoever else does the same.
      const written = this.files.write(open, bytes);
      if (written === bytes.length && fstatSync(open).size === seen + written) {
        this.state.end = seen + written;
        return;
      }
      // Only a part was written, or another process wrote in between, and perhaps died over it: what does not stand
      // there by itself is written again.
      const found: ScannedLine[] = [];
      const scanned = await this.readOn(open, (line) => found.push(line));
      missing = withoutFound(missing, found);
      seen = scanned.seen;
      const spoilt = found.filter(({ text }) => readLine(text) === undefined);
      prefix = [
        ...(seen > scanned.end ? ["", tornLine(seen)] : []),
        ...spoilt.map(({ end }) => tornLine(end)),
        "",
      ].join("\n");
    }
  }

  private async catchUp(open: number, status: Stats): Promise<number> {
    const identity = identityOf(status);
    if (identity !== this.state.identity || status.size < this.state.end)
      this.state = new SessionState(identity);
    if (status.size === this.state.end) return this.state.end;
    return (await this.readOn(open)).seen;
  }

  private async readOn(open: number, found?: (line: ScannedLine) => void): Promise<Scanned> {
    const { state } = this;
    const scanned = await scanLines(open, state.end, (line) => {
      state.take(line.text);
      found?.(line);
    });
    state.end = scanned.end;
    return scanned;
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

function syncFolder(folder: string): void {
  // Windows opens no folders, and needs none of this.
  if (process.platform === "win32") return;
  const open = openSync(folder, "r");
  try {
    fsyncSync(open);
  } finally {
    closeSync(open);
  }
}
