import { createHash } from "node:crypto";
import { parseJson } from "../../../core/base/json.ts";
import { tell } from "../../../node/postgres/news.ts";
import type { Postgres } from "../../../node/postgres/open-postgres.ts";
import type { Queries, SqlValue } from "../../../node/postgres/queries.ts";
import type { MonitorEvent } from "../../../shared/monitor/events.ts";
import { asReported } from "../../intake/as-stored.ts";
import type { PassedAnswer } from "../../monitor.ts";
import { eventIn } from "../../report/spool.ts";
import { isPassedAnswer } from "../client.ts";
import type { DecisionReceipt } from "../receipts.ts";
import type { Machine } from "../tokens.ts";
import { CHANNEL, LOG_LOCK } from "./schema.ts";

export interface Logged<Item> {
  readonly position: number;
  readonly machine: string;
  readonly item: Item;
}

const PAGE = 500;
/** A monitor that is new to a database reads what happened in this time. */
const BEFORE = "interval '1 day'";
/** As long as each machine takes events for recent. */
const KEPT = "interval '30 days'";

interface Row {
  readonly position: number;
  readonly machine: string;
  readonly json: string;
}

export type SharedLog = ReturnType<typeof sharedLog>;

/** The log that the monitors of several machines share. Each statement may be done twice. */
export function sharedLog(database: Postgres) {
  /** Readers see positions in the order in which they were given. */
  const adding = (work: (transaction: Queries) => Promise<unknown>): Promise<void> =>
    database.transaction(async (transaction) => {
      await transaction.query("SELECT pg_advisory_xact_lock($1)", [LOG_LOCK]);
      await work(transaction);
      await tell(transaction, CHANNEL);
    });
  const one = async (sql: string, values: readonly SqlValue[] = []): Promise<unknown> => {
    const [row] = await database.query<{ readonly value: unknown }>(sql, values);
    return row?.value;
  };
  const added = (table: "events" | "receipts", after: number, upTo: number, own: string) =>
    database.query<Row>(
      `SELECT position, machine, json FROM tenterhook.${table}
       WHERE position > $1 AND position <= $2 AND machine <> $3 ORDER BY position LIMIT ${PAGE}`,
      [after, upTo, own],
    );
  return {
    /** The name of this machine: the one it wants, unless another machine has it; and since when it has it. */
    async claim({ name, id }: Machine): Promise<{ readonly name: string; readonly since: string }> {
      const mark = createHash("sha256").update(id).digest("hex");
      for (const wanted of [name, `${name}-${mark.slice(0, 4)}`, `${name}-${mark}`])
        await database.query(
          `INSERT INTO tenterhook.machines (name, id) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
          [wanted, id],
        );
      const [row] = await database.query<{ readonly name: string; readonly joined_at: Date }>(
        "SELECT name, joined_at FROM tenterhook.machines WHERE id = $1",
        [id],
      );
      if (row === undefined) throw new Error(`The shared database has no name for ${name}.`);
      return { name: row.name, since: row.joined_at.toISOString() };
    },

    /** Adds events of a machine, and of those that are heard through it. */
    send: (own: string, events: readonly MonitorEvent[]): Promise<void> =>
      adding((transaction) =>
        transaction.query(
          `INSERT INTO tenterhook.events (id, machine, json)
           SELECT id, machine, json FROM unnest($1::text[], $2::text[], $3::text[])
             WITH ORDINALITY AS given (id, machine, json, at) ORDER BY at
           ON CONFLICT DO NOTHING`,
          [
            events.map(({ id }) => id),
            events.map((event) => event.machine ?? own),
            events.map((event) => JSON.stringify(asReported(event))),
          ],
        ),
      ),

    /** Says how decisions have ended. Answers that are on their way to them have come too late, or have arrived. */
    sendReceipts: (own: string, receipts: readonly DecisionReceipt[]): Promise<void> =>
      adding(async (transaction) => {
        const ids = receipts.map(({ id }) => id);
        const machines = receipts.map(({ machine }) => machine ?? own);
        await transaction.query(
          `INSERT INTO tenterhook.receipts (decision, machine, json)
           SELECT id, machine, json FROM unnest($1::text[], $2::text[], $3::text[]) AS given (id, machine, json)
           ON CONFLICT DO NOTHING`,
          [ids, machines, receipts.map((receipt) => JSON.stringify(receipt))],
        );
        await transaction.query(
          `DELETE FROM tenterhook.answers USING unnest($1::text[], $2::text[]) AS given (id, of)
           WHERE decision = id AND machine = of`,
          [ids, machines],
        );
      }),

    /** Leaves an answer for the machine whose agent asks. Of several the first one counts. */
    giveAnswer: (machine: string, answer: PassedAnswer): Promise<void> =>
      adding((transaction) =>
        transaction.query(
          `INSERT INTO tenterhook.answers (decision, machine, json) SELECT $1, $2, $3
           WHERE EXISTS (SELECT 1 FROM tenterhook.machines WHERE name = $2)
             AND NOT EXISTS (SELECT 1 FROM tenterhook.receipts WHERE decision = $1)
           ON CONFLICT DO NOTHING`,
          [answer.id, machine, JSON.stringify(answer)],
        ),
      ),

    /** Those that wait for machines of these names, each with its machine. */
    async answersFor(
      machines: readonly string[],
    ): Promise<readonly { readonly machine: string; readonly answer: PassedAnswer }[]> {
      const rows = await database.query<Omit<Row, "position">>(
        "SELECT machine, json FROM tenterhook.answers WHERE machine = ANY ($1::text[]) ORDER BY given_at",
        [machines],
      );
      return rows.flatMap(({ machine, json }) => {
        const answer = parseJson(json);
        return isPassedAnswer(answer) ? [{ machine, answer }] : [];
      });
    },

    end: async (table: "events" | "receipts"): Promise<number> =>
      Number(await one(`SELECT coalesce(max(position), 0) AS value FROM tenterhook.${table}`)),

    /** Where a monitor begins to read that has read nothing yet. */
    begin: async (table: "events" | "receipts"): Promise<number> =>
      Number(
        await one(
          `SELECT coalesce(max(position), 0) AS value FROM tenterhook.${table} WHERE stored_at < now() - ${BEFORE}`,
        ),
      ),

    /** The next events of other machines; some at a time. */
    async events(
      after: number,
      upTo: number,
      own: string,
    ): Promise<readonly Logged<MonitorEvent | undefined>[]> {
      const rows = await added("events", after, upTo, own);
      return rows.map(({ position, machine, json }) => ({ position, machine, item: eventIn(json)[0] }));
    },

    async receipts(after: number, upTo: number, own: string): Promise<readonly Logged<unknown>[]> {
      const rows = await added("receipts", after, upTo, own);
      return rows.map(({ position, machine, json }) => ({ position, machine, item: parseJson(json) }));
    },

    /** Says that machines of these names are there, and how many seconds ago that was said of each. */
    async heard(names: readonly string[]): Promise<ReadonlyMap<string, number>> {
      await database.query("UPDATE tenterhook.machines SET seen_at = now() WHERE name = ANY ($1::text[])", [
        names,
      ]);
      const rows = await database.query<{ readonly name: string; readonly seconds: number }>(
        "SELECT name, extract(epoch FROM now() - seen_at)::float8 AS seconds FROM tenterhook.machines",
      );
      return new Map(rows.map(({ name, seconds }) => [name, seconds]));
    },

    /** Deletes what no monitor reads any more. */
    async forget(): Promise<void> {
      for (const table of ["events", "receipts"])
        await database.query(`DELETE FROM tenterhook.${table} WHERE stored_at < now() - ${KEPT}`);
      await database.query(`DELETE FROM tenterhook.answers WHERE given_at < now() - ${BEFORE}`);
    },
  };
}
