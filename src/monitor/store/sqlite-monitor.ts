import { storeFailure } from "../../node/sqlite/failure.ts";
import type { Migrations } from "../../node/sqlite/migrate.ts";
import { type OpenDatabase, openDatabase } from "../../node/sqlite/open-database.ts";
import { inTransaction, whenFree } from "../../node/sqlite/transaction.ts";
import type {
  AgentStatus,
  Delivery,
  HumanRequest,
  MonitorEvent,
  MonitorStore,
  MonitorTables,
} from "../../shared/monitor/monitor.ts";

/** Rows with the words of today: the action and the source `check` were called `gate`. */
const CHECKS = ['"source":"gate"', '"action":"gate"', '"gate":', '"gate_of":'].reduce(
  (sql, old) => `replace(${sql}, '${old}', '${old.replace("gate", "check")}')`,
  "json",
);

const MIGRATIONS: Migrations = [
  `CREATE TABLE events (
     seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, time TEXT NOT NULL, agent TEXT NOT NULL,
     json TEXT NOT NULL
   ) STRICT;
   CREATE INDEX events_by_time ON events (time);
   CREATE TABLE agents (agent TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT;
   CREATE TABLE decisions (
     id TEXT PRIMARY KEY, agent TEXT NOT NULL, state TEXT NOT NULL, created TEXT NOT NULL, json TEXT NOT NULL
   ) STRICT;
   CREATE INDEX decisions_by_state ON decisions (state, agent);`,
  `CREATE TABLE deliveries (
     decision TEXT NOT NULL, channel TEXT NOT NULL, part INTEGER NOT NULL, state TEXT NOT NULL, ref TEXT,
     json TEXT NOT NULL, PRIMARY KEY (decision, channel, part)
   ) STRICT;
   CREATE INDEX deliveries_by_state ON deliveries (state);
   CREATE INDEX deliveries_by_ref ON deliveries (channel, ref);
   CREATE TABLE marks (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;`,
  `UPDATE decisions SET json = ${CHECKS} WHERE json ->> '$.source' = 'gate';
   UPDATE agents SET json = ${CHECKS} WHERE json ->> '$.pending.source' = 'gate';
   UPDATE events SET json = ${CHECKS} WHERE json ->> '$.action' = 'gate' OR json ->> '$.source' = 'gate';`,
  // An agent whose turn was over was called waiting, as one that waits for a human is.
  `UPDATE agents SET json = json_set(json, '$.state', 'idle') WHERE json ->> '$.state' = 'waiting';`,
];

/** Those that have ended, and those of which nobody can say whether they have. */
const FORGET_AGENTS = `DELETE FROM agents
  WHERE json ->> '$.since' < ? AND (json ->> '$.state' IN ('exited', 'gone') OR json ->> '$.pid' IS NULL)
    AND agent NOT IN (SELECT agent FROM decisions WHERE state = 'open')`;

/** How many events are read at a time. */
const PAGE = 1000;

/**
 * The monitor's store in a SQLite database.
 *
 * @throws TenterhookError `store_failed` when the package for SQLite is not installed, a later version wrote the file, or it is
 *   damaged. Every method rejects with it when the file can't be read or written.
 */
export async function sqliteMonitor(file: string): Promise<MonitorStore> {
  const done = async <Result>(work: () => Result | Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw storeFailure(file, error);
    }
  };
  const open = await done(() => openDatabase(file, { migrations: MIGRATIONS }));
  const tables = tablesIn(open);
  const { prepared, database } = open;
  const all = <Item>(sql: string, ...values: readonly string[]): Promise<readonly Item[]> =>
    done(() => allOf<Item>(prepared(sql).all(...values)));
  return {
    update: (work) => done(() => whenFree(file, () => inTransaction(database, () => work(tables)))),
    agents: () => all<AgentStatus>("SELECT json FROM agents ORDER BY agent"),
    decisions: (which) =>
      all<HumanRequest>(
        which === "open"
          ? "SELECT json FROM decisions WHERE state = 'open' ORDER BY created DESC, id DESC"
          : "SELECT json FROM decisions ORDER BY created DESC, id DESC",
      ),
    pendingDeliveries: () =>
      all<Delivery>(
        `SELECT deliveries.json FROM deliveries LEFT JOIN decisions ON decisions.id = decision
         WHERE deliveries.state IN ('due', 'sending', 'sent') ORDER BY created, decision, channel, part`,
      ),
    findDelivery: async (channel, ref) =>
      (await all<Delivery>("SELECT json FROM deliveries WHERE channel = ? AND ref = ?", channel, ref))[0],
    async *events() {
      for (let last = 0; ; ) {
        const rows: readonly Row[] = prepared(
          "SELECT seq, json FROM events WHERE seq > ? ORDER BY seq LIMIT ?",
        ).all(last, PAGE);
        yield* allOf<MonitorEvent>(rows);
        const { seq } = rows.at(-1) ?? {};
        if (seq === undefined) return;
        last = seq;
      }
    },
    forget: (before) =>
      done(() =>
        whenFree(file, () =>
          inTransaction(database, () => {
            prepared("DELETE FROM events WHERE time < ?").run(before.toISOString());
            prepared("DELETE FROM decisions WHERE state <> 'open' AND created < ?").run(before.toISOString());
            prepared(FORGET_AGENTS).run(before.toISOString());
            prepared("DELETE FROM deliveries WHERE decision NOT IN (SELECT id FROM decisions)").run();
          }),
        ),
      ),
    async close() {
      open.close();
    },
  };
}

interface Row {
  readonly seq?: number;
  readonly json: string;
}

/** The rows were written by this file. */
function allOf<Item>(rows: readonly Row[]): readonly Item[] {
  return rows.map(({ json }): Item => JSON.parse(json));
}

function tablesIn({ prepared }: OpenDatabase): MonitorTables {
  return {
    addEvent: ({ id, time, agent_id, ...rest }) =>
      prepared("INSERT OR IGNORE INTO events (id, time, agent, json) VALUES (?, ?, ?, ?)").run(
        id,
        time,
        agent_id,
        JSON.stringify({ id, time, agent_id, ...rest }),
      ).changes === 1,
    agent: (agentId) =>
      allOf<AgentStatus>(prepared("SELECT json FROM agents WHERE agent = ?").all(agentId))[0],
    agents: () => allOf<AgentStatus>(prepared("SELECT json FROM agents").all()),
    putAgent(status) {
      prepared("INSERT OR REPLACE INTO agents VALUES (?, ?)").run(status.agent_id, JSON.stringify(status));
    },
    decision: (id) => allOf<HumanRequest>(prepared("SELECT json FROM decisions WHERE id = ?").all(id))[0],
    putDecision(decision) {
      const { id, agent_id, state, created_at } = decision;
      prepared("INSERT OR REPLACE INTO decisions VALUES (?, ?, ?, ?, ?)").run(
        id,
        agent_id,
        state,
        created_at,
        JSON.stringify(decision),
      );
    },
    openDecisions: (agentId) =>
      allOf<HumanRequest>(
        prepared("SELECT json FROM decisions WHERE state = 'open' AND agent = ? ORDER BY created").all(
          agentId,
        ),
      ),
    deliveries: (decisionId) =>
      allOf<Delivery>(prepared("SELECT json FROM deliveries WHERE decision = ?").all(decisionId)),
    putDelivery(delivery) {
      const { decision, channel, part, state, ref = null } = delivery;
      prepared("INSERT OR REPLACE INTO deliveries VALUES (?, ?, ?, ?, ?, ?)").run(
        decision,
        channel,
        part,
        state,
        ref,
        JSON.stringify(delivery),
      );
    },
    mark: (name) => {
      const row: { readonly value: string } | undefined = prepared(
        "SELECT value FROM marks WHERE name = ?",
      ).get(name);
      return row?.value;
    },
    putMark(name, value) {
      prepared("INSERT OR REPLACE INTO marks VALUES (?, ?)").run(name, value);
    },
  };
}
