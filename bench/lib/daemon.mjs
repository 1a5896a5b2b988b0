// The monitor's daemon of a project, and requests to it on kept connections.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { PROGRAM } from "./hook-process.mjs";

/**
 * Starts the daemon and waits until it decides calls.
 *
 * @param {NodeJS.ProcessEnv} environment
 */
export async function startDaemon(environment) {
  const daemon = spawn(process.execPath, [PROGRAM, "monitor", "start", "--foreground"], {
    env: environment,
    stdio: "ignore",
  });
  const socket = join(String(environment.XDG_STATE_HOME), "tenterhook/monitor/hook.sock");
  while (!existsSync(socket)) await wait(20);
  return {
    socket,
    /** The process that decides calls. */
    deciding() {
      const children = readFileSync(`/proc/${daemon.pid}/task/${daemon.pid}/children`, "utf8");
      return Number.parseInt(children, 10);
    },
    async stop() {
      daemon.kill("SIGTERM");
      await once(daemon, "exit");
    },
  };
}

/**
 * Posts bodies on kept connections.
 *
 * @param {string} socketPath
 * @param {string} path
 */
export function poster(socketPath, path) {
  const agent = new Agent({ keepAlive: true });
  /** @param {string} body @returns {Promise<string>} */
  const post = (body) =>
    new Promise((resolve, reject) => {
      const headers = { "content-length": Buffer.byteLength(body) };
      const outgoing = request({ socketPath, path, method: "POST", agent, headers }, (reply) => {
        let text = "";
        reply.setEncoding("utf8").on("data", (chunk) => {
          text += chunk;
        });
        reply.on("end", () => {
          if (reply.statusCode === 200) resolve(text);
          else reject(new Error(`It replied ${reply.statusCode}.`));
        });
      });
      outgoing.on("error", reject);
      outgoing.end(body);
    });
  return { post, close: () => agent.destroy() };
}
