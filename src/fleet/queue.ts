import { setTimeout as pause } from "node:timers/promises";
import type { BackendFactory, IQueueBackend } from "bullmq";
import type { DatabaseAddress } from "../node/postgres/address.ts";
import { postgresBackend } from "./postgres-queue.ts";

/** A run that waits for a worker, as the queue has it. */
export interface QueuedRun {
  readonly run: string;
  /** 0 for one that nobody has begun. */
  readonly fence: number;
  readonly priority: number;
  /** Milliseconds until a worker may take it. */
  readonly delay?: number;
}

export interface QueueWorkerOptions {
  readonly concurrency: number;
  readonly leaseMilliseconds: number;
  /** Works on a run. False when this worker does not take such runs. Must not reject. */
  readonly handle: (run_id: string) => Promise<boolean>;
}

/** The taking of runs. */
export interface QueueWork {
  /** Takes nothing until it is resumed. Runs that were taken go on. */
  setPaused(paused: boolean): Promise<void>;
  close(): Promise<void>;
}

/** Hands runs to workers. It may lose or repeat them: the tables say what is true. */
export interface RunQueue {
  add(run: QueuedRun): Promise<void>;
  /** Takes runs until it is closed. Closing waits for those that were taken. */
  work(options: QueueWorkerOptions): QueueWork;
  close(): Promise<void>;
}

/** The variable that puts the queue on a Redis server. */
export const REDIS_VARIABLE = "TENTERHOOK_REDIS_URL";

const NAME = "tenterhook-runs";
/** BullMQ takes small numbers first. */
const HIGHEST_PRIORITY = 1000;
const NOT_MINE_MILLISECONDS = 1000;
/** Attempts are counted in our tables. */
const MOST_STALLS = 1_000_000;
const RETRY_MILLISECONDS = 1000;
/** A queue that is silent for so long is away; nobody waits for it. */
const ANSWER_MILLISECONDS = 10_000;

/** Opens the queue: BullMQ on the database, or on Redis when an address is given. Connects with the first use. */
export async function openQueue({ url }: DatabaseAddress, redisUrl = ""): Promise<RunQueue> {
  const bullmq = await import("../packages/bullmq.ts");
  if (redisUrl === "") {
    const pg = await import("../packages/pg.ts");
    return queueOn(bullmq, postgresBackend(bullmq, pg, url, ANSWER_MILLISECONDS), {});
  }
  return queueOn(bullmq, bullmq.createRedisBackend, { url: redisUrl, maxRetriesPerRequest: null });
}

function queueOn<Backend extends IQueueBackend, Connection>(
  { Queue, Worker, DelayedError }: typeof import("../packages/bullmq.ts"),
  backend: BackendFactory<Backend, Connection>,
  connection: NoInfer<Connection>,
): RunQueue {
  const newQueue = () => quiet(new Queue(NAME, { connection }, backend));
  let queue: ReturnType<typeof newQueue> | undefined;
  const opened = async () => {
    const mine = queue ?? newQueue();
    queue = mine;
    try {
      await mine.waitUntilReady();
    } catch (error) {
      if (queue === mine) queue = undefined;
      await mine.close();
      throw error;
    }
    return mine;
  };
  return {
    async add({ run, fence, priority, delay = 0 }) {
      const wanted = Math.max(-HIGHEST_PRIORITY, Math.min(priority, HIGHEST_PRIORITY));
      // What was begun before keeps its place: it comes before all that nobody has begun.
      const order = 2 * (HIGHEST_PRIORITY + 1 - wanted) - (fence > 0 ? 1 : 0);
      const kept = { removeOnComplete: true, removeOnFail: true };
      const job = { jobId: `${run}.${fence}`, delay, priority: order, ...kept };
      await inTime(opened().then((ready) => ready.add("run", { run }, job)));
    },
    work({ concurrency, leaseMilliseconds, handle }) {
      const settings = {
        ...{ connection, concurrency, autorun: false, runRetryDelay: RETRY_MILLISECONDS },
        ...{ lockDuration: leaseMilliseconds, stalledInterval: leaseMilliseconds },
        maxStalledCount: MOST_STALLS,
      };
      const newWorker = () =>
        quiet(
          new Worker(
            NAME,
            async (job, token) => {
              if (await handle(String(job.data.run))) return;
              await job.moveToDelayed(Date.now() + NOT_MINE_MILLISECONDS, token);
              throw new DelayedError();
            },
            settings,
            backend,
          ),
        );
      return keptAtWork(newWorker);
    },
    async close() {
      await inTime(queue?.close()).catch(() => {});
    },
  };
}

/** BullMQ connects again by itself, and what it loses meanwhile is found in the tables. */
function quiet<Part extends { on(event: "error", listener: () => void): unknown }>(part: Part): Part {
  part.on("error", () => {});
  return part;
}

/** What this needs of BullMQ's worker. */
interface QueueWorker {
  waitUntilReady(): Promise<unknown>;
  run(): Promise<void>;
  pause(doNotWaitActive: boolean): Promise<void>;
  resume(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Keeps a worker at work. BullMQ remembers a first connection that failed for good, so another worker takes its place; and one
 * that is paused ends its work with the last run that it has.
 */
function keptAtWork(newWorker: () => QueueWorker): QueueWork {
  const closing = new AbortController();
  const { signal } = closing;
  let worker: QueueWorker | undefined;
  let paused = false;
  const work = async (): Promise<void> => {
    while (!signal.aborted) {
      if (!paused) {
        const mine = newWorker();
        worker = mine;
        try {
          await mine.waitUntilReady();
          if (!paused) await mine.run();
        } catch {
          // A moment later it may succeed.
        }
        await mine.close();
        worker = undefined;
      }
      await pause(RETRY_MILLISECONDS, undefined, { signal }).catch(() => undefined);
    }
  };
  void work();
  return {
    async setPaused(wanted) {
      if (wanted === paused) return;
      paused = wanted;
      await (paused ? worker?.pause(true) : worker?.resume());
    },
    async close() {
      closing.abort();
      await worker?.close();
    },
  };
}

/** @throws Error when it takes too long. */
async function inTime(work: Promise<unknown> | undefined): Promise<void> {
  const timer = new AbortController();
  const late = pause(ANSWER_MILLISECONDS, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`The queue has not answered for ${ANSWER_MILLISECONDS / 1000} seconds.`);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    timer.abort();
    late.catch(() => {});
  }
}
