import { errorMessage } from "../core/base/error-text.ts";
import type { Decided, RunEvent } from "../core/decide/observers.ts";
import type { Hooks } from "../core/hooks.ts";
import { createRedactor, type Redactor } from "../node/records/redact.ts";
import { appendToJournal, FILE_BYTES, isWorthRecording, journalFolder, prepareJournal } from "./files.ts";
import { journalLines, type RecordSource } from "./record.ts";

/** Where a journal is, and how much it keeps. */
export interface JournalOptions {
  /** Default `$XDG_STATE_HOME/tenterhook/journal`. */
  readonly folder?: string;
  /** Where XDG_STATE_HOME and the secrets to redact are looked up. Default: this process's. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Bytes after which a session's file is rotated. Default 4 MB. */
  readonly fileBytes?: number;
  /** Called once when nothing can be written. */
  readonly report?: (message: string) => void;
}

/** What is left to write at the end of the process. One listener for all: Node warns of more than ten. */
const leftAtExit = new Set<() => void>();
const flushAll = (): void => {
  for (const flush of leftAtExit) flush();
};

/**
 * Writes every decision of a hook set to a file for each session, one line each. A line is written after its decision was
 * returned, so writing neither delays nor fails a decision; the process writes what is left when it exits.
 */
export class Journal {
  private readonly folder: string;
  private readonly fileBytes: number;
  private readonly redactor: Redactor;
  private readonly report: (message: string) => void;
  private waiting: RecordSource[] = [];
  private scheduled: NodeJS.Immediate | undefined = undefined;
  private reported = false;
  private prepared = false;

  constructor({
    folder,
    environment = process.env,
    fileBytes = FILE_BYTES,
    report = () => {},
  }: JournalOptions = {}) {
    this.folder = folder ?? journalFolder(environment);
    this.fileBytes = fileBytes;
    this.redactor = createRedactor(environment);
    this.report = report;
  }

  /** Follows a hook set. Returns a function that stops following and writes what is left. */
  follow(hooks: Pick<Hooks, "observe">): () => void {
    const off = hooks.observe({
      onDecision: (decided) => this.record(decided),
      onRun: (run) => this.recordRun(run),
    });
    const flush = (): void => this.flush();
    if (leftAtExit.size === 0) process.on("exit", flushAll);
    leftAtExit.add(flush);
    return () => {
      off();
      leftAtExit.delete(flush);
      if (leftAtExit.size === 0) process.off("exit", flushAll);
      flush();
    };
  }

  /** Writes a decision soon. */
  record(decided: Decided): void {
    if (isWorthRecording(decided)) this.add({ type: "decision", ...decided });
  }

  /** Writes a decision synchronously: for a process that has nothing else to do. */
  recordNow(decided: Decided): void {
    this.record(decided);
    this.flush();
  }

  /** Writes the end of an async hook soon: its decision says only that it began. */
  recordRun(run: RunEvent): void {
    if (run.type === "end" && run.run.async === true) this.add({ type: "run", end: run });
  }

  /** Writes what is left, synchronously. */
  flush(): void {
    if (this.scheduled !== undefined) clearImmediate(this.scheduled);
    this.scheduled = undefined;
    const records = this.waiting;
    this.waiting = [];
    const bySession = new Map<string, string[]>();
    // The variables were just read when nothing was written yet.
    if (this.prepared) this.redactor.lookAgain(Date.now());
    for (const one of records) {
      const { session_id, lines } = journalLines(one, this.redactor, this.prepared);
      const waiting = bySession.get(session_id) ?? [];
      bySession.set(session_id, waiting);
      waiting.push(...lines);
    }
    for (const [session, lines] of bySession) this.write(session, lines);
  }

  private add(source: RecordSource): void {
    this.waiting.push(source);
    this.scheduled ??= setImmediate(() => this.flush());
  }

  private write(session: string, lines: readonly string[]): void {
    try {
      if (!this.prepared) prepareJournal(this.folder);
      this.prepared = true;
      appendToJournal(this.folder, session, lines, this.fileBytes);
    } catch (error) {
      this.prepared = false;
      if (this.reported) return;
      this.reported = true;
      this.report(`Could not write decisions to the journal in ${this.folder}: ${errorMessage(error)}`);
    }
  }
}
