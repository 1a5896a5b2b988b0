import { setTimeout as wait } from "node:timers/promises";
import { Backoff } from "../../node/process/backoff.ts";
import type { ProgramCall } from "../../node/process/start-program.ts";
import { Turns } from "./turns.ts";
import { Worker } from "./worker.ts";

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

  constructor(call: () => ProgramCall, size: number) {
    this.call = call;
    this.turns = new Turns(size);
  }

  /**
   * Lends a process for one request. When `use` throws, the process is not trusted with another one.
   *
   * @throws what `use` throws, a HookFailureError when no process can be started, the signal's reason while it waits.
   */
  async lend<Result>(use: (worker: Worker) => Promise<Result>, signal: AbortSignal): Promise<Result> {
    await this.turns.take(signal);
    try {
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

  /** How the processes are doing, in a few words. */
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

  /** Ends the processes once those that are asked have answered. Resolves when all of them are gone. */
  async close(): Promise<void> {
    await this.turns.allBack();
    for (const worker of this.idle.splice(0)) this.track(worker.end());
    while (this.ending.size > 0) await Promise.all(this.ending);
  }

  /** Passes over a process that has ended just now. */
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

  /** A process that ended, or can't be trusted any more. */
  private retire(worker: Worker): void {
    this.replaced += 1;
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
