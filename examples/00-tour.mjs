// A tour of the engine in a few seconds: a scripted agent works in a scratch folder, with real files and real
// processes, and every step of it passes the hooks.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { context, createHooks, deny, keepGoing, rewrite, ToolDeniedError } from "tenterhook";

const workspace = mkdtempSync(join(tmpdir(), "tenterhook-tour-"));
const session = { session_id: "tour", cwd: workspace };

// ── The hooks ────────────────────────────────────────────────────────────────────────────────────────────────────
const hooks = createHooks();
hooks.observe({
  onRun: (event) => {
    if (event.type === "end" && event.run.failure)
      say("hook", `${event.hook} failed: ${event.run.failure.message}`);
  },
});

hooks.on("PreToolUse", { name: "no-recursive-delete", tools: ["bash"], priority: 10 }, ({ tool_input }) =>
  /\brm\s+-\w*r/.test(String(tool_input.command))
    ? deny("Recursive deletes are not allowed here.")
    : undefined,
);
hooks.on("PreToolUse", { name: "always-a-timeout", tools: ["bash"] }, ({ tool_input }) =>
  tool_input.timeout === undefined ? rewrite((input) => ({ ...input, timeout: 60 })) : undefined,
);
hooks.on("PostToolUse", { name: "remind-of-tests", tools: ["Write"], path_patterns: ["*.mjs"] }, () =>
  context("The file changed: its tests have not been run since."),
);
hooks.on(
  "PreToolUse",
  { name: "network-policy", tools: ["WebFetch"], timeout: 0.2 },
  () => new Promise(() => {}), // A policy server that never answers: the gate stays closed.
);
hooks.on("Stop", { name: "until-tests-pass" }, () => {
  const tests = spawnSync(process.execPath, ["sum.test.mjs"], { cwd: workspace, encoding: "utf8" });
  return tests.status === 0 ? undefined : keepGoing("The tests fail. Fix sum.mjs.");
});

// ── The tools: what really happens ───────────────────────────────────────────────────────────────────────────────
/** @type {Record<string, (input: Record<string, unknown>) => string>} */
const tools = {
  Write: ({ file_path, content }) => {
    writeFileSync(join(workspace, String(file_path)), String(content));
    return `wrote ${file_path}`;
  },
  Bash: ({ command, timeout }) => {
    const run = spawnSync("sh", ["-c", String(command)], {
      cwd: workspace,
      encoding: "utf8",
      timeout: Number(timeout) * 1000,
    });
    return `${run.stdout.trim().replaceAll("\n", ", ") || "(no output)"}  [timeout ${timeout} s]`;
  },
  WebFetch: () => "never reached",
};

// ── The scripted model: what the agent would decide by itself ────────────────────────────────────────────────────
const test =
  'import { sum } from "./sum.mjs"; if (sum(2, 2) !== 4) process.exit(1); console.log("tests pass");';
/** @type {({ tool: string, input: Record<string, unknown> } | { text: string })[]} */
const script = [
  { tool: "Write", input: { file_path: "sum.mjs", content: "export const sum = (a, b) => a - b;\n" } },
  { tool: "Write", input: { file_path: "sum.test.mjs", content: test } },
  { tool: "Bash", input: { command: "ls" } },
  { tool: "Bash", input: { command: "rm -rf ~/projects" } },
  { tool: "WebFetch", input: { url: "https://example.com" } },
  { text: "All done." },
  { tool: "Write", input: { file_path: "sum.mjs", content: "export const sum = (a, b) => a + b;\n" } },
  { tool: "Bash", input: { command: "node sum.test.mjs" } },
  { text: "Now it is really done." },
];

// ── The loop: somebody else's, with hooks around every call ──────────────────────────────────────────────────────
for (const step of script) {
  if ("text" in step) {
    say("agent", step.text);
    const stop = await hooks.fire({ ...session, hook_event_name: "Stop", last_assistant_message: step.text });
    if (!stop.keep_going) break;
    say("hook", `keeps it going: ${stop.keep_going.reason}`);
    continue;
  }
  const run = tools[step.tool];
  if (run === undefined) throw new Error(`no tool ${step.tool}`);
  const { content, ...shown } = step.input;
  say("agent", `${step.tool} ${Object.values(shown).join(" ")}`);
  const call = { ...session, tool_name: step.tool, tool_input: step.input };
  const outcome = await hooks.tryToolCall({ ...call, execute: run });
  for (const item of outcome.context) say("hook", `${item.hook} adds: ${item.text}`);
  if (outcome.ok) say("tool", outcome.result);
  else if (outcome.error instanceof ToolDeniedError) say("denied", outcome.error.message);
  else throw outcome.error;
}

const runs = hooks
  .stats()
  .map(
    ({ name, runs, denials, failures }) => `${name}: ${runs} runs, ${denials} denials, ${failures} failures`,
  );
console.log(`\n${runs.join("\n")}`);
rmSync(workspace, { recursive: true });
console.log(
  existsSync(workspace) ? "" : "\nThe scratch folder is gone. Next: README.md, docs/ and the other examples.",
);

/** @param {"agent" | "tool" | "hook" | "denied"} who @param {string} text */
function say(who, text) {
  const colours = { agent: 36, tool: 32, hook: 35, denied: 31 };
  const label = who.padEnd(6);
  console.log(`${process.stdout.isTTY ? `\x1b[${colours[who]}m${label}\x1b[0m` : label}  ${text}`);
}
