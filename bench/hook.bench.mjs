import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { grantTrust, reviewTrust } from "tenterhook/config";
import { stringify } from "yaml";
import { mixedRules } from "./lib/rules-mix.mjs";
import { sideBySide } from "./measure.mjs";

const PROGRAM = fileURLToPath(new URL("../dist/tenterhook.cjs", import.meta.url));
const CLIENT = fileURLToPath(new URL("../dist/tenterhook-client.sh", import.meta.url));
const RULES = 1000;
const HOOKS = 10;
const ROUNDS = 30;
/** The fastest of so many runs counts: the others waited for other users of the machine. */
const TIMES = 4;

/** A trusted project with a thousand rules in ten hooks, and folders of its own for state and cache. */
async function project() {
  const root = mkdtempSync(join(tmpdir(), "tenterhook-bench-"));
  const rules = [
    ...mixedRules(RULES - 2).map(({ tool, field, operator, value }) => ({
      all: [
        { field: "tool", operator: "equals", value: tool },
        { field, operator, value },
      ],
      action: "deny",
      reason: "No",
    })),
    { field: "command", operator: "matches", value: "\\bkubectl\\s+delete\\s+namespace\\b", action: "deny" },
    { field: "command", operator: "contains", value: "needs-a-parser", action: "deny" },
  ];
  const size = RULES / HOOKS;
  const definitions = [
    ...Array.from({ length: HOOKS }, (_, number) => ({
      name: `rules-${number}`,
      type: "inline",
      matcher: { events: ["PreToolUse"] },
      inline_rules: rules.slice(number * size, (number + 1) * size),
    })),
    {
      name: "parser",
      type: "inline",
      // For one tool only, so that the other rows measure lines that need no parser.
      matcher: { events: ["PreToolUse"], tools: ["shell_parsed"] },
      inline_rules: [{ field: "command", operator: "runs", value: "terraform destroy", action: "deny" }],
    },
  ];
  const cwd = join(root, "project");
  mkdirSync(join(cwd, ".tenterhook"), { recursive: true });
  mkdirSync(join(cwd, ".git"));
  writeFileSync(join(cwd, ".tenterhook/hooks.yaml"), stringify({ hooks: { definitions } }));
  const { NODE_EXTRA_CA_CERTS: _, ...rest } = process.env;
  const environment = {
    ...rest,
    XDG_CONFIG_HOME: join(root, "config"),
    XDG_STATE_HOME: join(root, "state"),
    XDG_CACHE_HOME: join(root, "cache"),
  };
  await grantTrust(await reviewTrust({ cwd, environment }), { environment });
  return { cwd, environment, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/**
 * Milliseconds from the start of a process until it is gone.
 *
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} environment
 * @param {string} input
 * @param {string} expected A part of its output.
 * @param {string} [program] Default: Node.
 */
function timed(args, environment, input, expected, program = process.execPath) {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(program, args, { env: environment, stdio: ["pipe", "pipe", "inherit"] });
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.on("error", reject);
    child.on("close", () => {
      const milliseconds = performance.now() - start;
      if (expected === "" ? output === "" : output.includes(expected)) resolve(milliseconds);
      else reject(new Error(`It said ${output || "nothing"}.`));
    });
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}

/** @param {() => Promise<number>} run */
async function quickest(run) {
  let best = Number.POSITIVE_INFINITY;
  for (let time = 0; time < TIMES; time += 1) best = Math.min(best, await run());
  return best;
}

/**
 * @param {() => Promise<number>} once
 * @param {NodeJS.ProcessEnv} environment
 */
async function besideEmptyNode(once, environment) {
  const ours = () => quickest(once);
  const theirs = () => quickest(() => timed(["-e", "0"], environment, "", ""));
  for (let time = 0; time < 2; time += 1) {
    await ours();
    await theirs();
  }
  return { ...(await sideBySide(ROUNDS, ours, theirs)), unit: /** @type {const} */ ("ms") };
}

/**
 * @param {string} cwd
 * @param {string} tool_name
 * @param {string} command
 */
function payloadOf(cwd, tool_name, command) {
  return JSON.stringify({
    session_id: "bench",
    transcript_path: "/home/u/.claude/projects/bench.jsonl",
    cwd,
    permission_mode: "default",
    hook_event_name: "PreToolUse",
    tool_name,
    tool_input: { command },
    tool_use_id: "call",
  });
}

/**
 * @param {string} tool_name
 * @param {string} command
 * @param {string} [expected]
 */
async function against(tool_name, command, expected = "") {
  const { cwd, environment, remove } = await project();
  try {
    const payload = payloadOf(cwd, tool_name, command);
    return await besideEmptyNode(() => timed([PROGRAM, "hook"], environment, payload, expected), environment);
  } finally {
    remove();
  }
}

/** The client, with a daemon in this process that replies immediately. */
async function withDaemon() {
  const { cwd, environment, remove } = await project();
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
