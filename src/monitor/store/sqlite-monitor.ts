import type { Migrations } from "../../node/sqlite/migrate.ts";
import { type OpenDatabase, openDatabase } from "../../node/sqlite/open-database.ts";
import { inSteps, shrink, usedBytes } from "../../node/sqlite/shrink.ts";
import { inTransaction, storeFailure, whenFree } from "../../node/sqlite/transaction.ts";
import type { Delivery } from "../../shared/monitor/delivery.ts";
import type { MonitorEvent } from "../../shared/monitor/events.ts";
import type { KeptFor } from "../../shared/monitor/history.ts";
import type {
  AgentStatus,
  HumanRequest,
  MonitorStore,
  MonitorTables,
  PlacedEvent,
  StateChange,
  TeamToken,
} from "../../shared/monitor/monitor.ts";

/** An answer of which nobody knows whether the hook that waits for it was given it. */
const UNDELIVERED = `state = 'resolved' AND json ->> '$.prompt' IS NOT NULL AND json ->> '$.resolved.fate' IS NULL`;
/** The same for an agent of another machine, whatever waits for it there. */
const ANSWERED = `state = 'resolved' AND json ->> '$.machine' IS NOT NULL AND json ->> '$.resolved.fate' IS NULL`;

const MIGRATIONS: Migrations = [
  `CREATE TABLE events (
     seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, time TEXT NOT NULL, agent TEXT NOT NULL,
     json TEXT NOT NULL
   ) STRICT;
   CREATE INDEX events_by_time ON events (time);
   CREATE INDEX events_by_agent ON events (agent, seq);
   CREATE TABLE agents (agent TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT;
   CREATE TABLE decisions (
     id TEXT PRIMARY KEY, agent TEXT NOT NULL, state TEXT NOT NULL, created TEXT NOT NULL, json TEXT NOT NULL
   ) STRICT;
   CREATE INDEX decisions_by_state ON decisions (state, agent);
   CREATE INDEX decisions_by_age ON decisions (state, created);
   CREATE INDEX decisions_by_time ON decisions (created, id);
   CREATE TABLE deliveries (
     decision TEXT NOT NULL, channel TEXT NOT NULL, part INTEGER NOT NULL, state TEXT NOT NULL, ref TEXT,
     json TEXT NOT NULL, PRIMARY KEY (decision, channel, part)
   ) STRICT;
   CREATE INDEX deliveries_by_state ON deliveries (state);
   CREATE INDEX deliveries_by_ref ON deliveries (channel, ref);
   CREATE TABLE marks (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
   CREATE TABLE used (
     day TEXT NOT NULL, session TEXT NOT NULL, cwd TEXT NOT NULL, host TEXT NOT NULL, tokens INTEGER NOT NULL,
     cost REAL, PRIMARY KEY (day, session, cwd, host)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE states (
     agent TEXT NOT NULL, since TEXT NOT NULL, state TEXT NOT NULL, source TEXT NOT NULL,
     PRIMARY KEY (agent, since)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX states_by_time ON states (since);
   CREATE TABLE tokens (id TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT;`,
  "CREATE INDEX decisions_by_prompt ON decisions (json ->> '$.prompt')",
  `DROP INDEX IF EXISTS decisions_undelivered;
   DROP INDEX IF EXISTS decisions_answered;
   UPDATE decisions SET json = json_set(json, '$.resolved.fate', iif(json ->> '$.resolved.delivered', 'given', 'late'))
     WHERE json ->> '$.resolved.delivered' IS NOT NULL;
   CREATE INDEX decisions_undelivered ON decisions (created) WHERE ${UNDELIVERED};
   CREATE INDEX decisions_answered ON decisions (created) WHERE ${ANSWERED};`,
];

/** Those that have ended, and those of which nobody can say whether they have. */
const FORGET_AGENTS = `DELETE FROM agents
  WHERE json ->> '$.since' < ? AND (json ->> '$.state' IN ('exited', 'gone') OR json ->> '$.pid' IS NULL)
    AND agent NOT IN (SELECT agent FROM decisions WHERE state = 'open')`;

/** How many rows are deleted at a time. */
const STEP = 2000;
/** How many decisions are shown that begin like an id: enough to tell them apart. */
const MOST_LIKE = 20;

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
  const all = <Item>(sql: string, ...values: readonly (string | number)[]): Promise<readonly Item[]> =>
    done(() => allOf<Item>(prepared(sql).all(...values)));
  const listeners: ((decision: HumanRequest) => void)[] = [];
  return {
    async update(work) {
      const stored: HumanRequest[] = [];
      const putDecision = (decision: HumanRequest): void => {
        tables.putDecision(decision);
        stored.push(decision);
      };
      const result = await done(() =>
        whenFree(file, () => inTransaction(database, () => work({ ...tables, putDecision }))),
      );
      for (const listener of listeners) for (const decision of stored) listener(decision);
      return result;
    },
    watch: (listener) => void listeners.push(listener),
    agents: () => all<AgentStatus>("SELECT json FROM agents ORDER BY agent"),
    decisions: (which, most = -1) =>
      all<HumanRequest>(
        `SELECT json FROM decisions ${which === "open" ? "WHERE state = 'open'" : ""} ORDER BY created DESC, id DESC LIMIT ?`,
        most,
      ),
    decisionsLike: (id) =>
      all<HumanRequest>(
        `SELECT json FROM decisions WHERE state = 'open' OR id IN
           (SELECT id FROM decisions WHERE id >= ? AND id < ? ORDER BY id LIMIT ?) ORDER BY created DESC, id DESC`,
        id,
        `${id}\uffff`,
        MOST_LIKE,
      ),
    undelivered: () => all<HumanRequest>(`SELECT json FROM decisions WHERE ${UNDELIVERED} ORDER BY created`),
    answered: () => all<HumanRequest>(`SELECT json FROM decisions WHERE ${ANSWERED} ORDER BY created`),
    pendingDeliveries: () =>
      all<Delivery>(
        `SELECT deliveries.json FROM deliveries LEFT JOIN decisions ON decisions.id = decision
         WHERE deliveries.state IN ('due', 'sending', 'sent') ORDER BY created, decision, channel, part`,
      ),
    findDelivery: async (channel, ref) =>
      (await all<Delivery>("SELECT json FROM deliveries WHERE channel = ? AND ref = ?", channel, ref))[0],
    token: async (id) => (await all<TeamToken>("SELECT json FROM tokens WHERE id = ?", id))[0],
    used: (since) =>
      done(() =>
        prepared("SELECT * FROM used WHERE day >= ?")
          .all(since)
          .map(({ day, session, cwd, host, tokens, cost }) => ({
            day: String(day),
            session_id: String(session),
            cwd: String(cwd),
            host: String(host),
            tokens: Number(tokens),
            ...(cost === null ? {} : { cost_usd: Number(cost) }),
          })),
      ),
    states: (since) => done(() => statesIn(open, since)),
    eventsOf: (agentId, most) =>
      all<MonitorEvent>("SELECT json FROM events WHERE agent = ? ORDER BY seq DESC LIMIT ?", agentId, most),
    eventsAfter: (position, most) => done(() => eventsIn(open, position, most)),
    forget: (keep) => done(() => forgetIn(open, keep)),
    async close() {
      open.close();
    },
  };
}

/** Deletes in transactions so short that nobody waits for one. */
async function forgetIn(open: OpenDatabase, { since, notableSince, bytes }: KeptFor): Promise<void> {
  const { file, database, prepared } = open;
  const step = (work: () => number): Promise<number> =>
    whenFree(file, () => inTransaction(database, () => work()));
  const run = (sql: string, ...values: readonly (string | number)[]): number =>
    Number(prepared(sql).run(...values).changes);
  const [before, notable] = [since.toISOString(), notableSince.toISOString()];
  await step(() => run(FORGET_AGENTS, before));
  await step(() => run("DELETE FROM used WHERE day < ?", notable.slice(0, 10)));
  await step(() => run("DELETE FROM states WHERE since < ?", before));
  await inSteps(() => step(() => run(FORGET_EVENTS, before, STEP)));
  await inSteps(() =>
    step(() => {
      run(`DELETE FROM deliveries WHERE decision IN (${OLD_DECISIONS})`, notable, STEP);
      return run(`DELETE FROM decisions WHERE id IN (${OLD_DECISIONS})`, notable, STEP);
    }),
  );
  await inSteps(async () => (usedBytes(database) > bytes ? step(() => run(OLDEST_EVENTS, STEP)) : 0));
  await shrink(open);
}

const FORGET_EVENTS =
  "DELETE FROM events WHERE seq IN (SELECT seq FROM events WHERE time < ? ORDER BY time LIMIT ?)";
const OLDEST_EVENTS = "DELETE FROM events WHERE seq IN (SELECT seq FROM events ORDER BY seq LIMIT ?)";
const OLD_DECISIONS =
  "SELECT id FROM decisions WHERE state <> 'open' AND created < ? ORDER BY created, id LIMIT ?";

/** A state that began earlier may have lasted until then. */
const STATES = `SELECT agent AS agent_id, since, state, source FROM states WHERE since >= ?1 UNION ALL
  SELECT agent, max(since), state, source FROM states WHERE since < ?1 GROUP BY agent ORDER BY agent_id, since`;

function statesIn({ prepared }: OpenDatabase, since: string): readonly StateChange[] {
  const rows: readonly StateChange[] = prepared(STATES).all(since);
  return rows.map((row) => ({ ...row }));
}

function eventsIn({ prepared }: OpenDatabase, after: number, most: number): readonly PlacedEvent[] {
  const rows: readonly (Row & { readonly seq: number })[] = prepared(
    "SELECT seq, json FROM events WHERE seq > ? ORDER BY seq LIMIT ?",
  ).all(after, most);
  return rows.map(({ seq, json }) => ({ position: seq, event: JSON.parse(json) }));
}

interface Row {
  readonly json: string;
}

/** The rows were written by this file. */
function allOf<Item>(rows: readonly Row[]): readonly Item[] {
  return rows.map(({ json }): Item => JSON.parse(json));
}

function tablesIn({ prepared }: OpenDatabase): MonitorTables {
  const all = <Item>(sql: string, ...values: readonly string[]): readonly Item[] =>
    allOf<Item>(prepared(sql).all(...values));
  /** Puts values into a row, the item itself into its last column. */
  const put = (table: string, item: object, ...values: readonly (string | number | null)[]): void => {
    const columns = values.map(() => "?, ").join("");
    prepared(`INSERT OR REPLACE INTO ${table} VALUES (${columns}?)`).run(...values, JSON.stringify(item));
  };
  return {
    addEvent(event) {
      const { id, time, agent_id } = event;
      const sql = "INSERT OR IGNORE INTO events (id, time, agent, json) VALUES (?, ?, ?, ?)";
      return prepared(sql).run(id, time, agent_id, JSON.stringify(event)).changes === 1;
    },
    event: (id) => all<MonitorEvent>("SELECT json FROM events WHERE id = ?", id)[0],
    agent: (agentId) => all<AgentStatus>("SELECT json FROM agents WHERE agent = ?", agentId)[0],
    agents: () => all<AgentStatus>("SELECT json FROM agents"),
    putAgent(status) {
      const { agent_id, since, state, source = "hook" } = status;
      put("agents", status, agent_id);
      prepared("INSERT OR REPLACE INTO states VALUES (?, ?, ?, ?)").run(agent_id, since, state, source);
    },
    addUsed({ day, session_id, cwd, host, tokens, cost_usd = null }) {
      prepared(
        `INSERT INTO used VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE
         SET tokens = tokens + excluded.tokens, cost = cost + excluded.cost`,
      ).run(day, session_id, cwd, host, tokens, cost_usd);
    },
    decision: (id) => all<HumanRequest>("SELECT json FROM decisions WHERE id = ?", id)[0],
    decisionOf: (prompt) =>
      all<HumanRequest>("SELECT json FROM decisions WHERE json ->> '$.prompt' = ?", prompt)[0],
    putDecision(decision) {
      const { id, agent_id, state, created_at } = decision;
      put("decisions", decision, id, agent_id, state, created_at);
    },
    openDecisions: (agentId) =>
      all("SELECT json FROM decisions WHERE state = 'open' AND agent = ? ORDER BY created", agentId),
    deliveries: (decisionId) => all("SELECT json FROM deliveries WHERE decision = ?", decisionId),
    putDelivery(delivery) {
      const { decision, channel, part, state, ref = null } = delivery;
      put("deliveries", delivery, decision, channel, part, state, ref);
    },
    mark: (name) => {
      const sql = "SELECT value FROM marks WHERE name = ?";
      const row: { readonly value: string } | undefined = prepared(sql).get(name);
      return row?.value;
    },
    putMark(name, value) {
      prepared("INSERT OR REPLACE INTO marks VALUES (?, ?)").run(name, value);
    },
    tokens: () => all("SELECT json FROM tokens ORDER BY id"),
    putToken: (token) => put("tokens", token, token.id),
    dropToken: (id) => void prepared("DELETE FROM tokens WHERE id = ?").run(id),
  };
}
