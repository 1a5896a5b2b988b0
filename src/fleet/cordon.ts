import { TenterhookError } from "../core/base/errors.ts";
import { isRecord, parseJson } from "../core/base/json.ts";
import { tell } from "../node/postgres/news.ts";
import type { Postgres } from "../node/postgres/open-postgres.ts";
import { startDeadline } from "../node/process/deadline.ts";
import { backoff } from "../node/retry.ts";
import type { AttemptEnd, Cordon, MachineFault } from "./run.ts";
import { RUN_NEWS } from "./submit.ts";

/** After so many runs in a row that met a fault of its machine, a worker takes no more. */
const MOST_FAULTS = 3;
/** After how long it tries with another run although nothing looks mended: the orders may have been wrong, not the machine. */
const FIRST_TRIAL_MILLISECONDS = 30_000;
const LAST_TRIAL_MILLISECONDS = 600_000;
const LOOK_MILLISECONDS = 20_000;

/** Who cordoned a worker that did it by itself. */
const ITSELF = "itself";

/** The runs in a row that met a fault of this machine. */
export class MachineFaults {
  readonly #now: () => number;
  readonly #met = new Map<string, MachineFault>();
  #trials = 0;
  #nextTrial = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** How a run ended here. Returns true when this is one too many. */
  note(run_id: string, end: AttemptEnd): boolean {
    if (end.state === "not here") {
      // That a provider's key is missing here tells nothing about the machine.
      if (end.fault === undefined) return false;
      this.#met.set(run_id, end.fault);
      const wait = backoff(this.#trials, FIRST_TRIAL_MILLISECONDS);
      this.#nextTrial = this.#now() + Math.min(wait, LAST_TRIAL_MILLISECONDS);
      return this.#met.size >= MOST_FAULTS;
    }
    if (end.state !== "handed back") this.#forget();
    return false;
  }

  /** Whether a worker with too many of them may take runs again: one is mended, or it is time for a trial. */
  async mayGoOn(signal: AbortSignal): Promise<boolean> {
    const { signal: until, end } = startDeadline(signal, LOOK_MILLISECONDS);
    const mended = await Promise.all([...this.#met.values()].map((fault) => fault.isMended(until)));
    end();
    if (mended.includes(true)) this.#forget();
    else if (this.#now() < this.#nextTrial) return false;
    else {
      this.#trials += 1;
      // One more, and it is over again.
      for (const run_id of [...this.#met.keys()].slice(0, 1 - MOST_FAULTS)) this.#met.delete(run_id);
    }
    return true;
  }

  #forget(): void {
    this.#met.clear();
    this.#trials = 0;
  }
}

/** The worker has no runs any more until somebody lifts it, or the machine is mended. */
export async function cordonItself(database: Postgres, worker: string, why: string): Promise<void> {
  await database.query("UPDATE tenterhook.workers SET cordoned = $2 WHERE worker = $1 AND cordoned IS NULL", [
    worker,
    JSON.stringify({ by: ITSELF, why } satisfies Cordon),
  ]);
}

/** Lifts what {@link cordonItself} has done, and nothing that a person has said. */
export async function uncordonItself(database: Postgres, worker: string): Promise<void> {
  await database.query(
    "UPDATE tenterhook.workers SET cordoned = NULL WHERE worker = $1 AND cordoned::json ->> 'by' = $2",
    [worker, ITSELF],
  );
}

export function isOwn(cordon: Cordon | undefined): boolean {
  return cordon?.by === ITSELF;
}

export function cordonIn(json: string | null): Cordon | undefined {
  const value = parseJson(json ?? "");
  if (!isRecord(value) || typeof value.by !== "string") return undefined;
  const why = typeof value.why === "string" ? { why: value.why } : {};
  return { by: value.by, ...why, ...(value.drains === true && { drains: true }) };
}

/**
 * Says that a worker takes no runs, or takes them again: `name` is the name of a machine for all of its workers, or the
 * beginning of an id. They hear of it at once, and at the latest with their next sign of life.
 *
 * @returns the ids of the workers.
 * @throws TenterhookError `unknown_worker`, `ambiguous_name`.
 */
export async function setCordon(
  database: Postgres,
  name: string,
  cordon: Cordon | undefined,
): Promise<readonly string[]> {
  const rows = await database.query<{ readonly worker: string; readonly machine: string }>(
    "SELECT worker, machine FROM tenterhook.workers WHERE machine = $1 OR starts_with(worker, $1) ORDER BY worker",
    [name],
  );
  const onMachine = rows.filter(({ machine }) => machine === name);
  const ids = (onMachine.length > 0 ? onMachine : rows).map(({ worker }) => worker);
  if (name === "" || ids.length === 0)
    throw new TenterhookError("unknown_worker", `There is no worker ${JSON.stringify(name)}.`);
  if (ids.length > 1 && onMachine.length === 0)
    throw new TenterhookError(
      "ambiguous_name",
      `Several workers begin with ${JSON.stringify(name)}: ${ids.join(", ")}.`,
    );
  await database.query("UPDATE tenterhook.workers SET cordoned = $2 WHERE worker = ANY ($1::text[])", [
    ids,
    cordon === undefined ? null : JSON.stringify(cordon),
  ]);
  for (const id of ids) await tell(database, RUN_NEWS, id);
  return ids;
}
