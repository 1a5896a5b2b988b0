import { spawn } from "node:child_process";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "tenterhook-sqlite";
import { startDaemon } from "./daemon.mjs";
import { PROGRAM } from "./hook-process.mjs";

/** A reporter of a team's monitor. @typedef {{ readonly token: string, readonly id: string, readonly name: string }} Reporter */

/**
 * Makes tokens of machines that have joined, in the store of a monitor that runs next.
 *
 * @param {NodeJS.ProcessEnv} environment
 * @param {number} machines
 * @returns {Promise<readonly Reporter[]>}
 */
export async function joinMachines(environment, machines) {
  await (await startDaemon(environment)).stop();
  const file = join(String(environment.XDG_STATE_HOME), "tenterhook/monitor/monitor.sqlite");
  const database = new DatabaseSync(file);
  const reporters = Array.from({ length: machines }, (_, at) => {
    const id = randomBytes(6).toString("hex");
    const token = `thk_${id}_${randomBytes(32).toString("base64url")}`;
    const machine = { name: `machine-${at}`, id: randomUUID() };
    const hash = createHash("sha256").update(token).digest("hex");
    const json = JSON.stringify({
      id,
      role: "reporter",
      hash,
      created_at: new Date().toISOString(),
      machine,
    });
    database.prepare("INSERT INTO tokens VALUES (?, ?)").run(id, json);
    return { token, ...machine };
  });
  database.close();
  return reporters;
}

/**
 * Starts `tenterhook daemon serve`.
 *
 * @param {NodeJS.ProcessEnv} environment
 */
export async function serveTeam(environment) {
  const child = spawn(process.execPath, [PROGRAM, "daemon", "serve", "--listen", "127.0.0.1:0", "--json"], {
    env: environment,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [line] = await once(child.stdout, "data");
  const { url } = JSON.parse(String(line));
  const connections = new Agent({ keepAlive: true });
  return {
    /**
     * Reports an event of an agent, as its machine does. @param {Reporter} reporter @param {string} agent
     * @returns {Promise<void>}
     */
    report: ({ token, id }, agent) =>
      new Promise((resolve, reject) => {
        const event = {
          v: 1,
          id: randomBytes(9).toString("hex"),
          time: new Date().toISOString(),
          type: "agent:turn",
          agent_id: agent,
          session_id: agent,
          host: "claude",
          prompt: "Fix the flaky test in the shop's basket, and say what it was.",
        };
        const headers = {
          authorization: `Bearer ${token}`,
          "x-tenterhook-machine": id,
          "content-type": "application/json",
        };
        const sent = request(`${url}/v1/team/events`, { method: "POST", agent: connections, headers });
        sent.on("error", reject);
        sent.on("response", (reply) => {
          reply.resume();
          if (reply.statusCode === 200) reply.on("end", resolve);
          else reject(new Error(`The monitor answers with ${reply.statusCode}.`));
        });
        sent.end(JSON.stringify({ events: [event] }));
      }),
    async stop() {
      connections.destroy();
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}
