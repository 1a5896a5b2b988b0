// What works on every supported runtime: hooks of all kinds, rules, packs, an agent with tools and processes, and a
// session that is resumed from its file. Prints what happened.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHooks, deny } from "tenterhook";
import { Agent, defaultTools, scriptedModel, tool } from "tenterhook/agent";
import { jsonlStore } from "tenterhook/stores";
import { z } from "zod";

const cwd = mkdtempSync(join(tmpdir(), "tenterhook-runtime-"));
/** @type {unknown[]} */
const happened = [];

const hooks = createHooks();
await hooks.use("safe-shell");
await hooks.add({
  name: "house-rules",
  type: "inline",
  matcher: { events: "PreToolUse" },
  rules: 'command runs "git push" -> deny("Pushing is for humans.")',
});
const reply = { hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "from a program" } };
await hooks.add({
  name: "program",
  type: "command",
  command: `echo '${JSON.stringify(reply)}'`,
  matcher: { events: "PostToolUse", tools: "Bash" },
});
hooks.on("PreToolUse", { tools: "Weather" }, ({ tool_input }) =>
  tool_input.city === "Nowhere" ? deny("There is no such city.") : undefined,
);

const weather = tool({
  name: "Weather",
  description: "The weather of a city.",
  input: z.object({ city: z.string() }),
  run: ({ city }) => `Rain in ${city}.`,
});
const tools = [weather, ...defaultTools()];
const store = jsonlStore({ dir: join(cwd, "sessions") });
/** @param {string[]} commands */
const bash = (...commands) => commands.map((command) => ({ name: "Bash", input: { command } }));
const model = scriptedModel([
  { tool_calls: ["Bonn", "Nowhere"].map((city) => ({ name: "Weather", input: { city } })) },
  { tool_calls: bash("echo hello > a.txt && cat a.txt", "git push", "rm -rf ~") },
  { text: "Done." },
]);
const agent = new Agent({ model, hooks, tools, cwd, store, mode: "bypass" });
for await (const item of agent.stream("Go.", { close: true })) {
  if (item.type === "tool_result") happened.push(item.content);
  if (item.type === "notice" || item.type === "error") happened.push(item);
  if (item.type === "message" && item.message.role === "user")
    for (const part of item.message.parts) if (part.type === "context") happened.push(part.text);
  if (item.type === "done") happened.push(item.result.text);
}
const again = await Agent.resume(agent.agent_id, { model: scriptedModel([{ text: "Again." }]), store, cwd });
happened.push((await again.run("And now?")).text);
await again.close();
await hooks.close();
rmSync(cwd, { recursive: true });
console.log(JSON.stringify(happened));
