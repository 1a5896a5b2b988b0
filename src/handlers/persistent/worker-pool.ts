import { setTimeout as wait } from "node:timers/promises";
import { HookFailureError } from "../../core/events/hook-failure-error.ts";
import type { ProgramCall } from "../../node/process/start-program.ts";
import { Backoff } from "../../node/retry.ts";
import { Worker } from "./worker.ts";

const TWICE =
  "Its process wrote another line after its answer to an earlier request; each request has one answer.";

/**
 * The processes of a persistent hook: started when they are needed, at most `size` at once, each asked one thing at a
 * time. Requests beyond that wait for their turn, in order.
 */
export class WorkerPool {
  private readonly call: () => ProgramCall;
  private readonly turns: Turns;
  private readonly backoff = new Backoff();
  private readonly idle: Worker[] = [];
  private readonly ending = new Set<Promise<void>>();
  private running = 0;
  private answers = 0;
  private replaced = 0;
  private spokeUnasked = false;

  constructor(call: () => ProgramCall, size: number) {
    this.call = call;
    this.turns = new Turns(size);
  }

  /**
   * Lends a process for one request. When `use` throws, the process is not trusted with another one.
   *
   * @throws what `use` throws, a HookFailureError when no process can be started or one gave an earlier request two
   *   answers, the signal's reason while it waits.
   */
  async lend<Result>(use: (worker: Worker) => Promise<Result>, signal: AbortSignal): Promise<Result> {
    await this.turns.take(signal);
    try {
      if (this.spokeUnasked) {
        this.spokeUnasked = false;
        throw new HookFailureError("bad_output", TWICE);
      }
      const worker = this.takeIdle() ?? (await this.start(signal));
      try {
        const result = await use(worker);
        this.answers += 1;
        this.backoff.succeeded();
        if (worker.usable) this.idle.push(worker);
        return result;
      } catch (error) {
        if (!signal.aborted) this.backoff.failed();
        worker.giveUp();
        throw error;
      }
    } finally {
      this.turns.giveBack();
    }
  }

  health(): string {
    const { failures } = this.backoff;
    const pause = Math.ceil(this.backoff.left() / 1000);
    return [
      `${this.running} running`,
      `${this.answers} answered`,
      `${this.replaced} replaced`,
      ...(failures === 0 ? [] : [`failed ${failures} times in a row`]),
      ...(pause === 0 ? [] : [`next start in ${pause} s`]),
    ].join(", ");
  }

  /** Ends the processes after their last answer. Resolves when all have ended. */
  async close(): Promise<void> {
    await this.turns.allBack();
    for (const worker of this.idle.splice(0)) this.track(worker.end());
    while (this.ending.size > 0) await Promise.all(this.ending);
  }

  private takeIdle(): Worker | undefined {
    let worker = this.idle.pop();
    while (worker?.usable === false) worker = this.idle.pop();
    return worker;
  }

  private async start(signal: AbortSignal): Promise<Worker> {
    const left = this.backoff.left();
    if (left > 0) await wait(left, undefined, { signal });
    try {
      const worker = await Worker.start(this.call(), (unusable) => this.retire(unusable));
      this.running += 1;
      return worker;
    } catch (error) {
      this.backoff.failed();
      throw error;
    }
  }

  private retire(worker: Worker): void {
    this.replaced += 1;
    // The second answer may have been the refusal; it came too late for the event that it was about.
    if (worker.spokeUnasked) this.spokeUnasked = true;
    const at = this.idle.indexOf(worker);
    if (at !== -1) this.idle.splice(at, 1);
    this.track(worker.terminate());
  }

  private track(ended: Promise<void>): void {
    const tracked = ended.finally(() => {
      this.running -= 1;
      this.ending.delete(tracked);
    });
    this.ending.add(tracked);
  }
}

/** Runs at most `most` at the same time; the others wait in order. */
class Turns {
  private readonly most: number;
  private readonly waiting: (() => void)[] = [];
  private readonly empty: (() => void)[] = [];
  private taken = 0;

  constructor(most: number) {
    this.most = most;
  }

  /** Waits for a turn, which is to be given back. Throws the signal's reason when it is aborted before. */
  async take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.taken < this.most) {
      this.taken += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const onAbort = (): void => {
        this.waiting.splice(this.waiting.indexOf(next), 1);
        reject(signal.reason);
      };
      const next = (): void => {
        signal.removeEventListener("abort", onAbort);
        resolve();
      };
      signal.addEventListener("abort", onAbort, { once: true });
      this.waiting.push(next);
    });
  }

  giveBack(): void {
    const next = this.waiting.shift();
    if (next !== undefined) {
      next(); // It has the turn that is given back.
      return;
    }
    this.taken -= 1;
    if (this.taken === 0) for (const resolve of this.empty.splice(0)) resolve();
  }

  /** Resolves when nobody has a turn or waits for one. */
  async allBack(): Promise<void> {
    while (this.taken > 0) await new Promise<void>((resolve) => this.empty.push(resolve));
  }
}
