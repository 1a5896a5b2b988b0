import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { startDaemon } from "./daemon.mjs";

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
  const time = new Date().toISOString();
  const addEvent = database.prepare("INSERT INTO events (id, time, agent, json) VALUES (?, ?, ?, ?)");
  const addAgent = database.prepare("INSERT INTO agents (agent, json) VALUES (?, ?)");
  database.exec("BEGIN");
  for (let number = 0; number < agents; number += 1) {
    const agent_id = `agent-${number}`;
    addAgent.run(agent_id, JSON.stringify({ agent_id, host: "claude", state: "working", since: time }));
  }
  for (let number = 0; number < events; number += 1) {
    const agent_id = `agent-${number % agents}`;
    const event = { v: 1, id: `event-${number}`, time, type: "agent:turn", agent_id };
    addEvent.run(event.id, time, agent_id, JSON.stringify(event));
  }
  const addDecision = database.prepare("INSERT INTO decisions VALUES (?, ?, ?, ?, ?)");
  for (let number = 0; number < decisions; number += 1) {
    const [id, agent_id] = [`d${number}`, `agent-${number % agents}`];
    const state = number < 20 ? "open" : "resolved";
    const resolved = { at: time, by: "anna", channel: "cli", answer: "yes", delivered: true };
    const text = { id, agent_id, source: "question", context: "Which one?", options: [], state };
    addDecision.run(
      id,
      agent_id,
      state,
      time,
      JSON.stringify({ ...text, created_at: time, ...(state === "resolved" && { prompt: id, resolved }) }),
    );
  }
  database.exec("COMMIT");
  database.close();
}
