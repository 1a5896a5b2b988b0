// The bound of a plain call holds for every agent: each has a codec of its own, which only its own calls load.
import { readFileSync } from "node:fs";
import { besideEmptyNode, PROGRAM, timed } from "./lib/hook-process.mjs";
import { projectWithRules } from "./lib/project-with-rules.mjs";

const ROUNDS = 8;

/** A recorded call of the shell for each agent, and what it is answered when nobody objects. */
const CALLS = [
  ["antigravity", "PreToolUse.run_command"],
  ["codex", "PreToolUse.Bash"],
  ["copilot", "pascal.PreToolUse"],
  ["crush", "PreToolUse.bash"],
  ["cursor", "preToolUse.Shell", "{}"],
  ["gemini", "BeforeTool"],
  ["kilo", "tool.execute.before.bash"],
  ["opencode", "tool.execute.before.bash"],
  ["pi", "tool_call.bash"],
  ["qwen", "PreToolUse.run_shell_command"],
  ["windsurf", "pre_run_command"],
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
  const isId = /^tool_(?:use|call)_id$/;
  const given = JSON.parse(text.replaceAll("/home/dev/app", cwd));
  return JSON.stringify(given, (key, value) =>
    isCommand.test(key) ? `npm run build ${calls}` : isId.test(key) ? `call-${calls}` : value,
  );
}

/**
 * @param {string} agent
 * @param {string} name
 * @param {string} expected
 */
async function against(agent, name, expected) {
  const text = readFileSync(new URL(`../test/fixtures/${agent}/${name}.json`, import.meta.url), "utf8");
  const { cwd, environment, remove } = await projectWithRules();
  try {
    const once = () => timed([PROGRAM, "hook"], environment, payloadFrom(text, cwd), expected);
    return await besideEmptyNode(once, environment, ROUNDS);
  } finally {
    remove();
  }
}

/** @type {readonly import("./benchmark.mjs").Benchmark[]} */
export default CALLS.map(([agent = "", name = "", expected = ""]) => ({
  name: `a call of ${agent}, 1,000 rules, a plain command`,
  against: "node -e 0",
  bound: 1.5,
  measure: () => against(agent, name, expected),
}));
