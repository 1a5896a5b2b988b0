import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { closeAtExit } from "../agent/run/process-exit.ts";
import { errorMessage, ignore } from "../core/base/error-text.ts";
import type { Postgres } from "../node/postgres/open-postgres.ts";
import { cordonItself, isOwn, MachineFaults, uncordonItself } from "./cordon.ts";
import {
  endAttempt,
  expireLeases,
  overdueRuns,
  renewLeases,
  reportWorker,
  takeRun,
  type WorkerIdentity,
} from "./leases.ts";
import type { WorkerCounts } from "./metrics.ts";
import type { QueueWork, RunQueue } from "./queue.ts";
import type { AttemptEnd, Cordon, TakenRun } from "./run.ts";
import { RUN_NEWS } from "./submit.ts";

/** Runs the agent of a run, or goes on with it. May reject: then it is tried again. */
export type RunAgent = (run: TakenRun, signal: AbortSignal) => Promise<AttemptEnd>;

export interface WorkerOptions {
  readonly database: Postgres;
  /** The same database by connections of its own: whatever the runs do, the signs of life get through. */
  readonly leases: Postgres;
  readonly queue: RunQueue;
  readonly runAgent: RunAgent;
  readonly concurrency: number;
  readonly leaseMilliseconds: number;
  /** Tells this machine from another one of its name. */
  readonly machine_id: string;
  /** What runs may need of it. Default: nothing. */
  readonly labels?: readonly string[];
  /** Somebody wants it to end. */
  readonly onDrain?: () => void;
  /** Which runs it takes. Default: all. */
  readonly takes?: (run_id: string) => Promise<boolean>;
  /** Receives what happens, for people. */
  readonly report: (text: string) => void;
}

/** So many signs of life in a lease: one may be late. */
const BEATS = 4;
/** The queue has lost a run that nobody took for so many leases. */
const LOST_LEASES = 2;
/** A run that can't be done here is left to others for so long. */
const LEFT_MILLISECONDS = 10_000;

/** Why a run is stopped here: another worker has it, or it was cancelled. */
class LostRun extends Error {}
/** Why a run is stopped here: this worker must not go on, and any other may. */
class HandedBack extends Error {}

/** A run that this worker is about to take, has, or is about to end. */
interface Attempt {
  run?: TakenRun;
  readonly controller: AbortController;
  ended: Promise<void>;
}

/** Takes runs from the queue and keeps their leases, until it is closed. */
export class FleetWorker {
  readonly id = `${hostname()}-${process.pid}-${randomBytes(2).toString("hex")}`;
  readonly #options: WorkerOptions;
  readonly #identity: WorkerIdentity;
  readonly #attempts = new Map<string, Attempt>();
  readonly #draining = new AbortController();
  readonly #closing = new AbortController();
  readonly #faults = new MachineFaults();
  /** Until when runs are left to others. */
  readonly #left = new Map<string, number>();
  #cordon: Cordon | undefined;
  #work: QueueWork | undefined;
  #parts: { close(): Promise<void> }[] = [];
  #loops: readonly Promise<void>[] = [];
  #lease: NodeJS.Timeout | undefined;
  #renewed = 0;
  #leasesLost = 0;
  #forget = (): void => {};

  constructor(options: WorkerOptions) {
    this.#options = options;
    const { machine_id, leaseMilliseconds, concurrency, labels = [] } = options;
    const machine = { machine: hostname(), machine_id };
    this.#identity = { id: this.id, ...machine, leaseMilliseconds, concurrency, labels };
  }

  async start(): Promise<void> {
    const { database, leases, queue, concurrency, leaseMilliseconds } = this.#options;
    await reportWorker(leases, this.#identity);
    this.#forget = closeAtExit({ close: () => this.#handBack(), endNow() {} });
    // Each goes on when the others have to wait: a queue that is away costs no lease.
    this.#loops = [
      this.#everyBeat(() => this.#renew()),
      this.#everyBeat(() => this.#lookForLost()),
      this.#everyBeat(() => this.#lookAtMachine()),
    ];
    const handle = (run_id: string) => this.#handle(run_id);
    this.#work = queue.work({ concurrency, leaseMilliseconds, handle });
    this.#parts = [
      this.#work,
      database.follow(RUN_NEWS, (id) => {
        if (id !== undefined && (id === this.id || this.#attempts.has(id))) ignore(this.#renew());
      }),
    ];
  }

  /**
   * Takes nothing more, gives the runs some time to end, and hands back those that have not: any other worker goes on
   * with them at once.
   */
  async close(graceMilliseconds: number): Promise<void> {
    const grace = setTimeout(
      () => this.#draining.abort(new HandedBack("The worker ends.")),
      graceMilliseconds,
    );
    await Promise.all(this.#parts.map((part) => part.close()));
    clearTimeout(grace);
    clearTimeout(this.#lease);
    this.#closing.abort();
    await Promise.all(this.#loops);
    this.#forget();
    await this.#options.leases.query("DELETE FROM tenterhook.workers WHERE worker = $1", [this.id]);
  }

  /** The process is about to end: its agents are stopped at once, which is no failure of theirs. */
  async #handBack(): Promise<void> {
    this.#draining.abort(new HandedBack("The worker broke."));
    await this.close(0);
  }

  counts(): WorkerCounts {
    return { leases_lost: this.#leasesLost };
  }

  /** Why this worker is of no use, in a sentence; `undefined` while it is well. */
  problem(): string | undefined {
    const silent = performance.now() - this.#renewed;
    return silent < this.#options.leaseMilliseconds
      ? undefined
      : "The database has not answered for a lease.";
  }

  /** Why it takes no runs; `undefined` while it does. */
  whyNotReady(): string | undefined {
    const { by, why } = this.#cordon ?? {};
    const cordoned =
      by === undefined ? undefined : `Cordoned by ${by}${why === undefined ? "." : `: ${why}`}`;
    return this.problem() ?? cordoned;
  }

  async #handle(run_id: string): Promise<boolean> {
    const { takes } = this.#options;
    // The queue may be about to hand out one more.
    if (this.#cordon !== undefined) return false;
    for (const [id, until] of this.#left) if (until <= performance.now()) this.#left.delete(id);
    if (this.#left.has(run_id)) return false;
    if (takes !== undefined && !(await takes(run_id))) return false;
    const before = this.#attempts.get(run_id);
    if (before !== undefined && !(await this.#hasLost(before))) return true;
    if (this.#attempts.has(run_id)) return true;
    const attempt: Attempt = { controller: new AbortController(), ended: Promise.resolve() };
    this.#attempts.set(run_id, attempt);
    attempt.ended = this.#take(run_id, attempt).finally(() => this.#attempts.delete(run_id));
    await attempt.ended;
    return true;
  }

  async #take(run_id: string, attempt: Attempt): Promise<void> {
    const begun = performance.now();
    const run = await takeRun(this.#options.database, run_id, this.#identity);
    if (run === undefined) return;
    attempt.run = run;
    if (this.#lease === undefined) this.#watchLease(begun);
    await this.#workOn(run, AbortSignal.any([attempt.controller.signal, this.#draining.signal]));
  }

  /**
   * Whether an attempt of this worker at a run that it gets again is over. Its store knows only the last claim on an agent,
   * so two attempts in one process must not overlap.
   */
  async #hasLost({ run, controller, ended }: Attempt): Promise<boolean> {
    if (run === undefined) return false;
    await this.#renew();
    if (!controller.signal.aborted) return false;
    await ended.catch(() => undefined);
    return true;
  }

  async #workOn(run: TakenRun, signal: AbortSignal): Promise<void> {
    const { database, queue, report } = this.#options;
    const { run_id } = run;
    report(`${run_id}: attempt ${run.attempt}`);
    const end = await this.#attempt(run, signal);
    if (end !== undefined)
      await this.#noteFault(run_id, end).catch((error: unknown) => report(errorMessage(error)));
    const again = end === undefined ? "lost" : await endAttempt(database, run, end);
    if (end === undefined || again === "lost")
      report(`${run_id}: it was cancelled, or another worker has it`);
    else {
      // What can't be queued now is found in the tables later.
      if (again !== undefined) await queue.add(again).catch(() => {});
      const why = "error" in end ? end.error : "why" in end ? end.why : undefined;
      const how = end.state === "not here" ? "handed back" : end.state;
      report(`${run_id}: ${how}${why === undefined ? "" : `: ${why}`}`);
    }
  }

  /** Other workers get a chance first, and this one no more runs when they all fail by a fault of its machine. */
  async #noteFault(run_id: string, end: AttemptEnd): Promise<void> {
    const isTooMany = this.#faults.note(run_id, end);
    if (end.state !== "not here") return void this.#left.delete(run_id);
    this.#left.set(run_id, performance.now() + LEFT_MILLISECONDS);
    if (!isTooMany || this.#cordon !== undefined) return;
    await cordonItself(this.#options.leases, this.id, end.why);
    await this.#renew();
  }

  /** Takes runs again, if it has cordoned itself, as soon as they may succeed. */
  async #lookAtMachine(): Promise<void> {
    if (!isOwn(this.#cordon) || !(await this.#faults.mayGoOn(this.#closing.signal))) return;
    await uncordonItself(this.#options.leases, this.id);
    await this.#renew();
  }

  async #obey(cordon: Cordon | undefined): Promise<void> {
    const before = this.#cordon;
    this.#cordon = cordon;
    if ((before === undefined) !== (cordon === undefined)) {
      const why = cordon?.why === undefined ? "" : `: ${cordon.why}`;
      this.#options.report(
        cordon === undefined ? "Takes runs again." : `Cordoned by ${cordon.by}, takes no more runs${why}`,
      );
      if (cordon === undefined) this.#left.clear();
      await this.#work?.setPaused(cordon !== undefined);
    }
    if (cordon?.drains === true && before?.drains !== true) this.#options.onDrain?.();
  }

  async #attempt(run: TakenRun, signal: AbortSignal): Promise<AttemptEnd | undefined> {
    let end: AttemptEnd;
    try {
      end = await this.#options.runAgent(run, signal);
    } catch (error) {
      end = { state: "again", error: errorMessage(error), progressed: false };
    }
    if (signal.reason instanceof LostRun) return undefined;
    return signal.reason instanceof HandedBack && end.state !== "done" ? { state: "handed back" } : end;
  }

  async #everyBeat(work: () => Promise<void>): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await work().catch((error: unknown) => this.#options.report(errorMessage(error)));
      const rest = this.#options.leaseMilliseconds / BEATS;
      await pause(rest, undefined, { signal }).catch(() => undefined);
    }
  }

  async #renew(): Promise<void> {
    const { leases } = this.#options;
    const held = [...this.#attempts.values()].flatMap(({ run, controller }) =>
      run === undefined || controller.signal.aborted ? [] : [{ run, controller }],
    );
    const begun = performance.now();
    const cordon = await reportWorker(leases, this.#identity);
    const mine = await renewLeases(
      leases,
      this.#identity,
      held.map(({ run }) => run),
    );
    for (const { run, controller } of held)
      if (!mine.has(run.run_id))
        controller.abort(new LostRun("The run was cancelled, or another worker has it."));
    if (this.#closing.signal.aborted) return;
    this.#watchLease(begun);
    await this.#obey(cordon);
  }

  /** Stops all runs at the end of a lease that began then, unless it is renewed. */
  #watchLease(begun: number): void {
    this.#renewed = Math.max(this.#renewed, begun);
    clearTimeout(this.#lease);
    const end = this.#renewed + this.#options.leaseMilliseconds;
    this.#lease = setTimeout(() => this.#stopAll(), end - performance.now());
  }

  /** Nobody heard of this worker for a lease: others may have its runs by now. */
  #stopAll(): void {
    this.#lease = undefined;
    this.#options.report("The database has not answered for a lease: runs stop here until it does.");
    for (const { run, controller } of this.#attempts.values())
      if (run !== undefined) controller.abort(new HandedBack("The lease of the run has ended."));
  }

  async #lookForLost(): Promise<void> {
    const { leases, queue, leaseMilliseconds } = this.#options;
    const lost = await expireLeases(leases);
    this.#leasesLost += lost.length;
    const found = [...lost, ...(await overdueRuns(leases, LOST_LEASES * leaseMilliseconds))];
    for (const run of found) await queue.add(run);
  }
}
