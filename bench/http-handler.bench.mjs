import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createHooks } from "tenterhook";
import { compare } from "./measure.mjs";

/** @type {import("tenterhook").EventInput<"PreToolUse">} */
const EVENT = {
  hook_event_name: "PreToolUse",
  session_id: "session",
  cwd: "/project",
  tool_name: "Bash",
  tool_input: { command: "npm test" },
  tool_use_id: "call",
};

/** @type {readonly import("./benchmark.mjs").Benchmark[]} */
export default [
  {
    name: "an http hook",
    against: "a bare keep-alive fetch of the same body from the same server",
    bound: 1.5,
    async measure() {
      const server = fork(fileURLToPath(new URL("lib/reply-server.mjs", import.meta.url)));
      const [url] = await once(server, "message");
      const hooks = createHooks();
      try {
        await hooks.add({ name: "remote", type: "http", matcher: { events: ["PreToolUse"] }, url });
        const { context } = await hooks.fire(EVENT);
        if (context[0]?.text !== "seen") throw new Error("The hook does not say what the server answers.");
        const body = JSON.stringify(EVENT);
        const headers = { "content-type": "application/json" };
        return await compare(
          async (times) => {
            for (let time = 0; time < times; time += 1) await hooks.fire(EVENT);
          },
          async (times) => {
            for (let time = 0; time < times; time += 1)
              await (await fetch(url, { method: "POST", body, headers })).json();
          },
        );
      } finally {
        await hooks.close();
        server.kill();
      }
    },
  },
];
