import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { errorMessage } from "../core/base/error-text.ts";
import type { Postgres } from "../node/postgres/open-postgres.ts";
import {
  endAttempt,
  expireLeases,
  overdueRuns,
  renewLeases,
  takeRun,
  type WorkerIdentity,
} from "./leases.ts";
import type { RunQueue } from "./queue.ts";
import type { AttemptEnd, TakenRun } from "./run.ts";
import { RUN_NEWS } from "./submit.ts";

/** Runs the agent of a run, or goes on with it. May reject: then it is tried again. */
export type RunAgent = (run: TakenRun, signal: AbortSignal) => Promise<AttemptEnd>;

export interface WorkerOptions {
  readonly database: Postgres;
  readonly queue: RunQueue;
  readonly runAgent: RunAgent;
  readonly concurrency: number;
  readonly leaseMilliseconds: number;
  /** Which runs it takes. Default: all. */
  readonly takes?: (run_id: string) => Promise<boolean>;
  /** Receives what happens, for people. */
  readonly report: (text: string) => void;
}

/** So many signs of life in a lease: one may be late. */
const BEATS = 4;
/** The queue has lost a run that nobody took for so many leases. */
const LOST_LEASES = 2;

/** Why a run is stopped here: another worker has it, or it was cancelled. */
class LostRun extends Error {}
/** Why a run is stopped here: the worker ends. */
class Draining extends Error {}

/** Takes runs from the queue and keeps their leases, until it is closed. */
export class FleetWorker {
  readonly id = `${hostname()}-${process.pid}-${randomBytes(2).toString("hex")}`;
  readonly #options: WorkerOptions;
  readonly #identity: WorkerIdentity;
  readonly #held = new Map<string, { readonly run: TakenRun; readonly controller: AbortController }>();
  readonly #closing = new AbortController();
  #parts: { close(): Promise<void> }[] = [];
  #beating: Promise<void> = Promise.resolve();

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#identity = { id: this.id, machine: hostname(), leaseMilliseconds: options.leaseMilliseconds };
  }

  async start(): Promise<void> {
    const { database, queue, concurrency, leaseMilliseconds } = this.#options;
    await database.query(
      `INSERT INTO tenterhook.workers (worker, machine, pid, concurrency) VALUES ($1, $2, $3, $4)
       ON CONFLICT (worker) DO NOTHING`,
      [this.id, this.#identity.machine, process.pid, concurrency],
    );
    this.#beating = this.#beat();
    const handle = (run_id: string) => this.#handle(run_id);
    this.#parts = [
      queue.work({ concurrency, leaseMilliseconds, handle }),
      database.follow(RUN_NEWS, (run_id) => {
        if (run_id !== undefined && this.#held.has(run_id)) void this.#renew();
      }),
    ];
  }

  /**
   * Takes nothing more, gives the runs some time to end, and hands back those that have not: any other worker goes on
   * with them at once.
   */
  async close(graceMilliseconds: number): Promise<void> {
    const grace = setTimeout(() => {
      for (const { controller } of this.#held.values()) controller.abort(new Draining("The worker ends."));
    }, graceMilliseconds);
    await Promise.all(this.#parts.map((part) => part.close()));
    clearTimeout(grace);
    this.#closing.abort();
    await this.#beating;
    const { database } = this.#options;
    await database.query("DELETE FROM tenterhook.workers WHERE worker = $1", [this.id]);
  }

  async #handle(run_id: string): Promise<boolean> {
    const { database, queue, report, takes } = this.#options;
    if (takes !== undefined && !(await takes(run_id))) return false;
    const run = await takeRun(database, run_id, this.#identity);
    if (run === undefined) return true;
    report(`${run_id}: attempt ${run.attempt}`);
    const controller = new AbortController();
    this.#held.set(run_id, { run, controller });
    const end = await this.#attempt(run, controller.signal);
    this.#held.delete(run_id);
    const again = end === undefined ? "lost" : await endAttempt(database, run, end);
    if (end === undefined || again === "lost")
      report(`${run_id}: it was cancelled, or another worker has it`);
    else {
      // What can't be queued now is found in the tables later.
      if (again !== undefined) await queue.add(again).catch(() => {});
      report(`${run_id}: ${end.state}${"error" in end ? `: ${end.error}` : ""}`);
    }
    return true;
  }

  async #attempt(run: TakenRun, signal: AbortSignal): Promise<AttemptEnd | undefined> {
    let end: AttemptEnd;
    try {
      end = await this.#options.runAgent(run, signal);
    } catch (error) {
      end = { state: "again", error: errorMessage(error), progressed: false };
    }
    if (signal.reason instanceof LostRun) return undefined;
    return signal.reason instanceof Draining && end.state !== "done" ? { state: "handed back" } : end;
  }

  /** Keeps the leases, and looks for runs that others have lost. */
  async #beat(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await this.#renew();
      await this.#lookForLost().catch((error: unknown) => this.#options.report(errorMessage(error)));
      const rest = this.#options.leaseMilliseconds / BEATS;
      await pause(rest, undefined, { signal }).catch(() => undefined);
    }
  }

  async #renew(): Promise<void> {
    const held = [...this.#held.values()];
    try {
      const mine = await renewLeases(
        this.#options.database,
        this.#identity,
        held.map(({ run }) => run),
      );
      for (const { run, controller } of held)
        if (!mine.has(run.run_id) && this.#held.get(run.run_id)?.controller === controller)
          controller.abort(new LostRun("The run was cancelled, or another worker has it."));
    } catch (error) {
      this.#options.report(errorMessage(error));
    }
  }

  async #lookForLost(): Promise<void> {
    const { database, queue, leaseMilliseconds } = this.#options;
    const found = [
      ...(await expireLeases(database)),
      ...(await overdueRuns(database, LOST_LEASES * leaseMilliseconds)),
    ];
    for (const run of found) await queue.add(run);
  }
}
