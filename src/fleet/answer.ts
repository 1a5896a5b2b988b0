import { randomUUID } from "node:crypto";
import type { HumanAnswer } from "../agent/run/session/answers.ts";
import type { WaitingFor } from "../agent/waiting-for.ts";
import { TenterhookError } from "../core/base/errors.ts";
import { isRecord, parseJson } from "../core/base/json.ts";
import type { Postgres } from "../node/postgres/open-postgres.ts";
import type { QueuedRun } from "./queue.ts";
import type { Answerer, RunState } from "./run.ts";

interface AnsweredRow extends QueuedRun {
  readonly state: RunState;
  readonly waiting_for: string | null;
  readonly answered: string | null;
}

/**
 * Gives a run the answer to what it waits for; any worker goes on with it. Of several answers the first one counts, wherever it
 * was given. What is returned belongs into the queue.
 *
 * @param answerTo makes the answer from what the run waits for now.
 * @throws TenterhookError `not_waiting`, with who was faster; `unknown_run`; what `answerTo` throws.
 */
export function answerRun(
  database: Postgres,
  run_id: string,
  answerTo: (waiting_for: WaitingFor) => HumanAnswer,
  { by, channel }: Answerer,
): Promise<QueuedRun> {
  const id = randomUUID();
  return database.transaction(async (transaction) => {
    const [row] = await transaction.query<AnsweredRow>(
      "SELECT run, fence, priority, state, waiting_for, answered FROM tenterhook.runs WHERE run = $1 FOR UPDATE",
      [run_id],
    );
    if (row === undefined)
      throw new TenterhookError("unknown_run", `There is no run ${JSON.stringify(run_id)}.`);
    const { run, fence, priority } = row;
    // A transaction may be done twice: this is its own answer.
    if (row.answered?.includes(id) === true) return { run, fence, priority };
    if (row.state !== "waiting" || row.waiting_for === null) throw notWaiting(row);
    const answer = answerTo(JSON.parse(row.waiting_for));
    const [queued] = await transaction.query<QueuedRun>(
      `UPDATE tenterhook.runs SET state = 'queued', fence = fence + 1, answer = $2, answered = $3, waiting_for = NULL,
         due = now(), queued_at = now() WHERE run = $1 RETURNING run, fence, priority`,
      [
        run_id,
        JSON.stringify(answer),
        JSON.stringify({ id, by, channel, answer: answer.approval ?? answer.answers }),
      ],
    );
    return queued ?? row;
  });
}

/** Who has answered what a run asked last, and what. */
export function answererIn(json: string | null): EndedQuestion["answered"] {
  const value = parseJson(json ?? "");
  if (!isRecord(value)) return undefined;
  const { by, channel, answer } = value;
  return typeof by === "string" && typeof channel === "string" ? { by, channel, answer } : undefined;
}

function notWaiting({ run, state, answered }: AnsweredRow): TenterhookError {
  const faster = state === "queued" || state === "running" ? answererIn(answered) : undefined;
  const why = faster === undefined ? `it is ${state}` : `${faster.by} was faster (${faster.channel})`;
  return new TenterhookError("not_waiting", `Run ${run} waits for no answer: ${why}.`, {
    hint: "tenterhook fleet status shows the runs that wait.",
  });
}

/** A run that waited for an answer and waits for it no more. */
export interface EndedQuestion {
  readonly run_id: string;
  /** Who has answered it, and what; absent when the run was cancelled. */
  readonly answered?: Answerer & { readonly answer?: unknown };
}

/** Those of some runs that wait for nobody. */
export async function notWaitingAmong(
  database: Postgres,
  run_ids: readonly string[],
): Promise<readonly EndedQuestion[]> {
  const rows = await database.query<Pick<AnsweredRow, "run" | "state" | "answered">>(
    "SELECT run, state, answered FROM tenterhook.runs WHERE run = ANY ($1::text[]) AND state <> 'waiting'",
    [run_ids],
  );
  return rows.map(({ run, state, answered }) => {
    const who = state === "cancelled" ? undefined : answererIn(answered);
    return { run_id: run, answered: who };
  });
}
