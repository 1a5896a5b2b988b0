import type { Postgres } from "../node/postgres/open-postgres.ts";
import type { RunState } from "./run.ts";

/** What one worker knows of itself. */
export interface WorkerCounts {
  /** Leases of other workers that it found to have ended. */
  readonly leases_lost: number;
}

interface Metric {
  readonly name: string;
  readonly type: "gauge" | "counter";
  readonly help: string;
  readonly values: readonly { readonly labels?: Readonly<Record<string, string>>; readonly value: number }[];
}

const STATES: readonly RunState[] = ["queued", "running", "waiting", "done", "failed", "dead", "cancelled"];

interface Sums {
  readonly oldest: number;
  readonly workers: number;
  readonly cordoned: number;
  readonly places: number;
}

/** The figures of a fleet as Prometheus reads them. */
export async function fleetMetrics(database: Postgres, { leases_lost }: WorkerCounts): Promise<string> {
  const states = await database.query<{ readonly state: RunState; readonly runs: number }>(
    "SELECT state, count(*) AS runs FROM tenterhook.runs GROUP BY state",
  );
  const [{ oldest, workers, cordoned, places } = NOTHING] = await database.query<Sums>(
    `SELECT (SELECT coalesce(max(extract(epoch FROM now() - due)), 0)::float FROM tenterhook.runs
              WHERE state = 'queued' AND due <= now()) AS oldest,
       count(*) AS workers, count(cordoned) AS cordoned, coalesce(sum(concurrency), 0)::integer AS places
     FROM tenterhook.workers WHERE seen_at > now() - interval '1 minute'`,
  );
  const runs = (wanted: RunState): number => states.find(({ state }) => state === wanted)?.runs ?? 0;
  return textOf([
    {
      name: "tenterhook_runs",
      type: "gauge",
      help: "Runs of the fleet by state.",
      values: STATES.map((state) => ({ labels: { state }, value: runs(state) })),
    },
    gauge(
      "tenterhook_queue_oldest_seconds",
      "How long the oldest queued run has waited for a worker.",
      oldest,
    ),
    gauge("tenterhook_answers_waiting", "Runs that wait for an answer.", runs("waiting")),
    {
      name: "tenterhook_workers",
      type: "gauge",
      help: "Workers that gave a sign of life in the last minute.",
      values: [
        { labels: { cordoned: "false" }, value: workers - cordoned },
        { labels: { cordoned: "true" }, value: cordoned },
      ],
    },
    gauge("tenterhook_places", "How many runs all workers can have at the same time.", places),
    {
      name: "tenterhook_leases_lost_total",
      type: "counter",
      help: "Leases that ended without a sign of life, as this worker found them.",
      values: [{ value: leases_lost }],
    },
  ]);
}

const NOTHING: Sums = { oldest: 0, workers: 0, cordoned: 0, places: 0 };

function gauge(name: string, help: string, value: number): Metric {
  return { name, type: "gauge", help, values: [{ value }] };
}

function textOf(metrics: readonly Metric[]): string {
  const lines = metrics.flatMap(({ name, type, help, values }) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...values.map(({ labels = {}, value }) => {
      const pairs = Object.entries(labels).map(([key, text]) => `${key}=${JSON.stringify(text)}`);
      return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}`;
    }),
  ]);
  return `${lines.join("\n")}\n`;
}
