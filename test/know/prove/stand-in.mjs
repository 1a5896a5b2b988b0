#!/usr/bin/env node
// @ts-nocheck: what it reads is checked by nobody.
// A small agent that runs hooks as Claude Code does, for tests of `tenterhook prove` without the real one.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const { HOME = "", ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY = "" } = process.env;
const BEHAVIOUR = "obeys";

if (process.argv.includes("--version")) {
  console.log("9.8.7 (stand-in)");
  process.exit();
}
const files = [join(HOME, ".claude/settings.json"), ".claude/settings.json"].filter((file) =>
  existsSync(file),
);
const seen = [JSON.stringify(process.env), ...files.map((file) => readFileSync(file, "utf8"))].join("\n");
if (/a-secret/.test(seen) || existsSync(join(HOME, ".claude/.credentials.json"))) {
  console.error("A secret was copied.");
  process.exit(1);
}
const settings = files.map((file) => JSON.parse(readFileSync(file, "utf8")));

/** What the hooks of an event reply, together. */
function hooks(event, more) {
  if (settings.some((one) => one.disableAllHooks)) return {};
  const input = JSON.stringify({ session_id: "s1", cwd: process.cwd(), hook_event_name: event, ...more });
  const groups = settings.flatMap((one) => one.hooks?.[event] ?? []);
  const replies = groups
    .filter(({ matcher }) => isMatched(matcher ?? "", more.tool_name))
    .flatMap((group) => group.hooks)
    .map(({ command, onFailure }) => {
      const { status, stdout, stderr } = spawnSync("sh", ["-c", command], { input, encoding: "utf8" });
      const isFailed = status === 2 || (status !== 0 && onFailure === "block");
      if (isFailed) return { decision: "block", reason: stderr };
      return stdout.startsWith("{") ? JSON.parse(stdout) : {};
    });
  const own = replies.map(({ hookSpecificOutput }) => hookSpecificOutput ?? {});
  const refusal = own.find((one) => ["deny", "ask"].includes(one.permissionDecision));
  const block = replies.find(({ decision }) => decision === "block");
  return {
    refused: refusal?.permissionDecisionReason ?? block?.reason,
    input: own.find((one) => one.updatedInput)?.updatedInput,
    context: own.map((one) => one.additionalContext ?? "").join(""),
  };
}

function isMatched(matcher, tool) {
  if (["", "*"].includes(matcher)) return true;
  return /^[\w|]+$/.test(matcher) ? matcher.split("|").includes(tool) : new RegExp(matcher).test(tool);
}

async function converse(prompt, isSubagent) {
  const messages = [{ role: "user", content: prompt }];
  for (;;) {
    const response = await fetch(`${ANTHROPIC_BASE_URL}/v1/messages`, {
      method: "POST",
      headers: { "x-api-key": ANTHROPIC_API_KEY },
      body: JSON.stringify({ model: "m", tools: [{ name: "Bash" }], messages }),
    });
    const { content } = await response.json();
    messages.push({ role: "assistant", content });
    const calls = content.filter(({ type }) => type === "tool_use");
    for (const call of calls) messages.push({ role: "user", content: await use(call) });
    if (calls.length > 0) continue;
    const text = content.map((one) => one.text ?? "").join("");
    const { refused } = isSubagent
      ? {}
      : hooks("Stop", { last_assistant_message: text, stop_hook_active: false });
    if (refused === undefined) return text;
    messages.push({ role: "user", content: refused });
  }
}

async function use({ name: tool_name, input: tool_input, id: tool_use_id }) {
  const { refused, input = tool_input } = hooks("PreToolUse", { tool_name, tool_input, tool_use_id });
  if (refused !== undefined && BEHAVIOUR !== "ignores") return refused;
  if (tool_name === "Agent") return converse(input.prompt, true);
  return execFileSync("sh", ["-c", input.command], { encoding: "utf8" }) || "Done.";
}

const prompt = process.argv[process.argv.indexOf("-p") + 1];
const { refused, context } = hooks("UserPromptSubmit", { prompt });
if (refused === undefined) await converse(`${prompt}\n${context ?? ""}`, false);
