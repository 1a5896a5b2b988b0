// Calls as the client of `tenterhook hook` sends them to the daemon, without a process for each.
import { once } from "node:events";
import { readFileSync, readlinkSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { payloadOf } from "./hook-process.mjs";

const PACKAGE = fileURLToPath(new URL("../../package.json", import.meta.url));
const AT_A_TIME = 4;
const TIMES = ["PreToolUse", "PostToolUse"];

/**
 * Sends the daemon calls of Claude Code that no hook minds, each with its result.
 *
 * @param {NodeJS.ProcessEnv} environment
 * @param {string} cwd
 */
export function caller(environment, cwd) {
  const { version } = JSON.parse(readFileSync(PACKAGE, "utf8"));
  const socketPath = join(environment.XDG_STATE_HOME ?? "", "tenterhook/monitor/hook.sock");
  const mounts = process.platform === "linux" ? readlinkSync("/proc/self/ns/mnt") : "";
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  let sent = 0;
  const send = async (/** @type {object} */ payload) => {
    sent += 1;
    const id = `call${String(sent).padStart(24, "0")}-1`;
    const head = [id, cwd, process.pid, process.ppid, mounts, ...variables].map((one) => `${one}\0`).join("");
    const asked = request({ socketPath, path: `/hook/${version}`, method: "POST", agent: false });
    asked.end(`${head}\0${JSON.stringify(payload)}`);
    const [reply] = await once(asked, "response");
    const said = await text(reply);
    if (reply.statusCode !== 200 || said.includes('"deny"'))
      throw new Error(`The daemon answered ${reply.statusCode}: ${said}`);
  };
  return async (/** @type {number} */ calls) => {
    let begun = 0;
    const some = async () => {
      for (let number = begun++; number < calls; number = begun++) {
        const call = JSON.parse(payloadOf(cwd, "Bash", { command: `npm test -- --shard=${number}` }));
        for (const hook_event_name of TIMES)
          await send({
            ...call,
            hook_event_name,
            ...(hook_event_name === "PostToolUse" && { tool_response: { stdout: "passed" } }),
          });
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, some));
  };
}
