import { join } from "node:path";
import { DatabaseSync } from "tenterhook-sqlite";
import { startDaemon } from "./daemon.mjs";

/** For a database that nobody needs after a crash. */
export const FAST = "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -1000000;";

/** A query for whole numbers, both ends included. @param {number} from @param {number} to @param {string} name */
export function numbers(from, to, name) {
  return `WITH RECURSIVE numbers (${name}) AS (
    SELECT ${from} WHERE ${from} <= ${to} UNION ALL SELECT ${name} + 1 FROM numbers WHERE ${name} < ${to}
  ) SELECT ${name} FROM numbers`;
}

/**
 * Fills the monitor's store, which the daemon has made.
 *
 * @param {NodeJS.ProcessEnv} environment
 * @param {number} agents
 * @param {number} events
 * @param {number} [decisions]
 */
export async function fillStore(environment, agents, events, decisions = 0) {
  await (await startDaemon(environment)).stop();
  const database = new DatabaseSync(
    join(String(environment.XDG_STATE_HOME), "tenterhook/monitor/monitor.sqlite"),
  );
  const time = `'${new Date().toISOString()}'`;
  const agent = `'agent-' || n % ${agents}`;
  const upTo = (/** @type {number} */ count) => `FROM (${numbers(0, count - 1, "n")})`;
  const state = "iif(n < 20, 'open', 'resolved')";
  const question = "'source', 'question', 'context', 'Which one?', 'options', json_array()";
  const resolved = `json_object('at', ${time}, 'by', 'anna', 'channel', 'cli', 'answer', 'yes', 'delivered', json('true'))`;
  const asked = `json_object('id', 'd' || n, 'agent_id', ${agent}, ${question}, 'state', ${state}, 'created_at', ${time})`;
  database.exec(`${FAST} BEGIN;
    INSERT INTO agents SELECT 'agent-' || n,
      json_object('agent_id', 'agent-' || n, 'host', 'claude', 'state', 'working', 'since', ${time}) ${upTo(agents)};
    INSERT INTO events (id, time, agent, json) SELECT 'event-' || n, ${time}, ${agent},
      json_object('v', 1, 'id', 'event-' || n, 'time', ${time}, 'type', 'agent:turn', 'agent_id', ${agent}) ${upTo(events)};
    INSERT INTO decisions SELECT 'd' || n, ${agent}, ${state}, ${time},
      iif(n < 20, ${asked}, json_set(${asked}, '$.prompt', 'd' || n, '$.resolved', ${resolved})) ${upTo(decisions)};
    COMMIT`);
  database.close();
}
