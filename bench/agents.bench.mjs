// The bound of a plain call holds for every agent: each has a codec of its own, which only its own calls load.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { besideEmptyNode, PROGRAM, timed } from "./lib/hook-process.mjs";
import { projectWithRules } from "./lib/project-with-rules.mjs";

const ROUNDS = 8;

/**
 * A recorded call of the shell for each agent.
 *
 * @typedef {object} Call
 * @property {string} agent
 * @property {string} fixture
 * @property {string} [expected] What it is answered when nobody objects. Default: nothing.
 * @property {Readonly<Record<string, string>>} [variables] What the agent sets for its hooks, where only that tells it apart.
 */

/** @type {readonly Call[]} */
const CALLS = [
  { agent: "antigravity", fixture: "PreToolUse.run_command" },
  { agent: "auggie", fixture: "PreToolUse.launch-process" },
  { agent: "cline", fixture: "PreToolUse.run_commands", expected: "{}" },
  { agent: "codex", fixture: "PreToolUse.Bash" },
  { agent: "copilot", fixture: "pascal.PreToolUse", variables: { COPILOT_CLI: "1" } },
  { agent: "crush", fixture: "PreToolUse.bash" },
  { agent: "cursor", fixture: "preToolUse.Shell", expected: "{}" },
  { agent: "gemini", fixture: "BeforeTool" },
  { agent: "kilo", fixture: "tool.execute.before.bash" },
  { agent: "opencode", fixture: "tool.execute.before.bash" },
  { agent: "pi", fixture: "tool_call.bash" },
  { agent: "qwen", fixture: "PreToolUse.run_shell_command" },
  { agent: "windsurf", fixture: "pre_run_command" },
];

let calls = 0;

/**
 * The payload with another command and id each time, since a call that comes twice is decided once.
 *
 * @param {string} text
 * @param {string} cwd
 */
function payloadFrom(text, cwd) {
  calls += 1;
  const isCommand = /^(?:command|command_line|CommandLine)$/;
  const isId = /^(?:tool_(?:use|call)_)?id$/;
  const line = `npm run build ${calls}`;
  const given = JSON.parse(text.replaceAll("/home/dev/app", cwd));
  return JSON.stringify(given, (key, value) => {
    if (key === "commands") return Array.isArray(value) ? [line] : JSON.stringify([line]);
    return isCommand.test(key) ? line : isId.test(key) ? `call-${calls}` : value;
  });
}

/**
 * The agent that the decision in the journal is about.
 *
 * @param {NodeJS.ProcessEnv} environment
 */
function recordedAgent({ XDG_STATE_HOME = "" }) {
  const folder = join(XDG_STATE_HOME, "tenterhook/journal");
  const file = readdirSync(folder).find((name) => name.endsWith(".jsonl")) ?? "none";
  const [line = ""] = readFileSync(join(folder, file), "utf8").split("\n");
  return JSON.parse(line).event.host;
}

/** @param {Call} call */
async function against({ agent, fixture, expected = "", variables }) {
  const text = readFileSync(new URL(`../test/fixtures/${agent}/${fixture}.json`, import.meta.url), "utf8");
  const { cwd, environment, remove } = await projectWithRules();
  try {
    const own = { ...environment, ...variables };
    const once = () => timed([PROGRAM, "hook"], own, payloadFrom(text, cwd), expected);
    await once();
    const recognised = recordedAgent(environment);
    if (recognised !== agent) throw new Error(`It was taken for a call of ${recognised}.`);
    return await besideEmptyNode(once, environment, ROUNDS);
  } finally {
    remove();
  }
}

/** @type {readonly import("./benchmark.mjs").Benchmark[]} */
export default CALLS.map((call) => ({
  name: `a call of ${call.agent}, 1,000 rules, a plain command`,
  against: "node -e 0",
  bound: 1.5,
  measure: () => against(call),
}));
