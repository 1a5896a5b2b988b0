// The bound of a plain call holds for every agent: each has a codec of its own. Claude Code asks once more, in a plug-in.
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { claudeCode } from "./lib/claude-code.mjs";
import { emptyNode, PROGRAM, timed } from "./lib/hook-process.mjs";
import { projectWithRules } from "./lib/project-with-rules.mjs";
import { inTurns, sideBySide } from "./measure.mjs";

const ROUNDS = 6;

/**
 * A recorded call of the shell.
 *
 * @typedef {object} Call
 * @property {string} fixture
 * @property {string} [expected] What it is answered when nobody objects. Default: nothing.
 * @property {Readonly<Record<string, string>>} [variables] What the agent sets for its hooks, where only that tells it apart.
 */

/**
 * One for every agent but Claude Code, whose calls have a bound of their own.
 *
 * @type {Readonly<Record<Exclude<import("../src/core/events/agent-names.ts").AgentName, "claude">, Call>>}
 */
const CALLS = {
  auggie: { fixture: "PreToolUse.launch-process" },
  cline: { fixture: "PreToolUse.run_commands", expected: "{}" },
  codex: { fixture: "PreToolUse.Bash" },
  copilot: { fixture: "pascal.PreToolUse", variables: { COPILOT_CLI: "1" } },
  cursor: { fixture: "preToolUse.Shell", expected: "{}" },
  gemini: { fixture: "BeforeTool" },
  kilo: { fixture: "tool.execute.before.bash" },
  opencode: { fixture: "tool.execute.before.bash" },
  pi: { fixture: "tool_call.bash" },
  qwen: { fixture: "PreToolUse.run_shell_command" },
};

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
 * The agent that the only decision in the journal is about.
 *
 * @param {string} journal
 */
function recordedAgent(journal) {
  const file = readdirSync(journal).find((name) => name.endsWith(".jsonl")) ?? "none";
  const [line = ""] = readFileSync(join(journal, file), "utf8").split("\n");
  return JSON.parse(line).event.host;
}

async function slowest() {
  const { cwd, alone, remove } = await projectWithRules();
  const journal = join(alone.XDG_STATE_HOME, "tenterhook/journal");
  /** @type {import("./benchmark.mjs").Figures | undefined} */
  let slowest;
  try {
    for (const [agent, { fixture, expected, variables }] of Object.entries(CALLS)) {
      const file = new URL(`../test/fixtures/${agent}/${fixture}.json`, import.meta.url);
      const text = readFileSync(file, "utf8");
      const once = () =>
        timed([PROGRAM, "hook"], { ...alone, ...variables }, payloadFrom(text, cwd), expected);
      rmSync(journal, { recursive: true, force: true });
      await once();
      const recognised = recordedAgent(journal);
      if (recognised !== agent) throw new Error(`A call of ${agent} was taken for one of ${recognised}.`);
      const figures = await inTurns(ROUNDS, once, () => emptyNode(alone));
      if (slowest === undefined || figures.ratio > slowest.ratio) slowest = figures;
    }
  } finally {
    remove();
  }
  if (slowest === undefined) throw new Error("There is no agent.");
  return slowest;
}

const CLAUDE_RUNS = 5;

/** @param {boolean} hasSettingsHook */
async function lastGate(hasSettingsHook) {
  const { ours, passes, close } = await claudeCode({ hasSettingsHook });
  try {
    // The first one writes what later ones read.
    await passes();
    return { ...(await sideBySide(CLAUDE_RUNS, ours, passes)), unit: /** @type {const} */ ("ms") };
  } finally {
    await close();
  }
}

/** @type {readonly import("./benchmark.mjs").Benchmark[]} */
export default [
  {
    name: `a call of the slowest of ${Object.keys(CALLS).length} other agents, 1,000 rules, a plain command`,
    against: "node -e 0",
    bound: 2.2,
    measure: slowest,
  },
  {
    name: "a Read of Claude Code with the last gate, which judges it",
    against: "the same with a plug-in that only passes on",
    bound: 1.6,
    long: true,
    measure: () => lastGate(false),
  },
  {
    name: "a Read of Claude Code with the settings hook and the last gate",
    against: "the same with the settings hook and a plug-in that only passes on",
    bound: 1.6,
    long: true,
    measure: () => lastGate(true),
  },
];
