import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { besideEmptyNode, PROGRAM, payloadOf, timed } from "./lib/hook-process.mjs";
import { projectWithRules } from "./lib/project-with-rules.mjs";

const CLIENT = fileURLToPath(new URL("../dist/tenterhook-client.sh", import.meta.url));
/**
 * @param {string} tool_name
 * @param {string} command
 * @param {string} [expected]
 */
async function against(tool_name, command, expected = "") {
  const { cwd, environment, remove } = await projectWithRules();
  try {
    const payload = payloadOf(cwd, tool_name, command);
    return await besideEmptyNode(() => timed([PROGRAM, "hook"], environment, payload, expected), environment);
  } finally {
    remove();
  }
}

/** The client, with a daemon in this process that replies immediately. */
async function withDaemon() {
  const { cwd, environment, remove } = await projectWithRules();
  const folder = join(environment.XDG_STATE_HOME, "tenterhook/daemon");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "authorization"), "authorization: Bearer bench\n");
  const server = createServer((request, response) => {
    request.resume().on("end", () => response.end("{}"));
  });
  try {
    server.listen(join(folder, "socket"));
    await once(server, "listening");
    const payload = payloadOf(cwd, "Bash", "npm run build");
    return await besideEmptyNode(() => timed(["hook"], environment, payload, "{}", CLIENT), environment);
  } finally {
    server.close();
    remove();
  }
}

/** @type {readonly import("./benchmark.mjs").Benchmark[]} */
export default [
  {
    name: "tenterhook hook, 1,000 rules, a plain command",
    against: "node -e 0",
    bound: 1.5,
    measure: () => against("Bash", "npm run build"),
  },
  {
    name: "tenterhook hook, 1,000 rules, a rule denies",
    against: "node -e 0",
    bound: 2.2,
    measure: () => against("Bash", "echo needs-a-parser", "deny"),
  },
  {
    name: "tenterhook hook, 1,000 rules, the line must be parsed",
    against: "node -e 0",
    bound: 2.2,
    measure: () => against("shell_parsed", 'cd app && echo "$HOME" | tee build.log'),
  },
  {
    name: "tenterhook hook, 1,000 rules, the line must be parsed and is denied",
    against: "node -e 0",
    bound: 2.2,
    measure: () => against("shell_parsed", 'cd app && "terraform" destroy | tee build.log', "deny"),
  },
  {
    name: "tenterhook hook, 1,000 rules, a regular expression decides",
    against: "node -e 0",
    bound: 2.2,
    measure: () => against("Bash", "kubectl delete namespace", "deny"),
  },
  {
    name: "the client of a daemon that replies",
    against: "node -e 0",
    bound: 0.6,
    measure: withDaemon,
  },
];
