import type { BackendFactory, IQueueBackend } from "bullmq";
import { TenterhookError } from "../core/base/errors.ts";
import { importOptional, installHint } from "../node/optional-package.ts";
import type { DatabaseAddress } from "../node/postgres/address.ts";

/** A run that waits for a worker, as the queue has it. */
export interface QueuedRun {
  readonly run: string;
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

/** Hands runs to workers. It may lose or repeat them: the tables say what is true. */
export interface RunQueue {
  add(run: QueuedRun): Promise<void>;
  /** Takes runs until it is closed. Closing waits for those that were taken. */
  work(options: QueueWorkerOptions): { close(): Promise<void> };
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

/**
 * Opens the queue: BullMQ on the database, or on Redis when an address is given.
 *
 * @throws TenterhookError `store_failed` when a package is missing.
 */
export async function openQueue({ url }: DatabaseAddress, redisUrl = ""): Promise<RunQueue> {
  const bullmq = await importOptional("bullmq").catch(missing("bullmq"));
  if (redisUrl === "") {
    const settings = { schema: "tenterhook_queue", migrate: true, application_name: "tenterhook" };
    return queueOn(bullmq, bullmq.createPostgresBackend, { connectionString: url, ...settings });
  }
  await importOptional("ioredis").catch(missing("ioredis"));
  return queueOn(bullmq, bullmq.createRedisBackend, { url: redisUrl, maxRetriesPerRequest: null });
}

function queueOn<Backend extends IQueueBackend, Connection>(
  { Queue, Worker, DelayedError }: typeof import("bullmq"),
  backend: BackendFactory<Backend, Connection>,
  connection: NoInfer<Connection>,
): RunQueue {
  const queue = new Queue(NAME, { connection }, backend);
  // It connects again by itself, and what it loses meanwhile is found in the tables.
  queue.on("error", () => {});
  return {
    async add({ run, fence, priority, delay = 0 }) {
      const order = HIGHEST_PRIORITY + 1 - Math.max(-HIGHEST_PRIORITY, Math.min(priority, HIGHEST_PRIORITY));
      const kept = { removeOnComplete: true, removeOnFail: true };
      await queue.add("run", { run }, { jobId: `${run}.${fence}`, delay, priority: order, ...kept });
    },
    work({ concurrency, leaseMilliseconds, handle }) {
      const worker = new Worker(
        NAME,
        async (job, token) => {
          if (await handle(String(job.data.run))) return;
          await job.moveToDelayed(Date.now() + NOT_MINE_MILLISECONDS, token);
          throw new DelayedError();
        },
        {
          connection,
          concurrency,
          lockDuration: leaseMilliseconds,
          stalledInterval: leaseMilliseconds,
          maxStalledCount: MOST_STALLS,
        },
        backend,
      );
      worker.on("error", () => {});
      return { close: () => worker.close() };
    },
    close: () => queue.close(),
  };
}

function missing(name: "bullmq" | "ioredis") {
  return (cause: unknown): never => {
    throw new TenterhookError(
      "store_failed",
      `The queue needs the package ${name}, which is not installed.`,
      {
        hint: installHint(name),
        cause,
      },
    );
  };
}
