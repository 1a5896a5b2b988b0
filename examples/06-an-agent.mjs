// An agent of your own: a model, tools and hooks. The model here is scripted, so that the example needs no key; any model
// by name, "anthropic/claude-sonnet-4-5" for one, goes in the same place.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { context, createHooks, deny, keepGoing } from "tenterhook";
import { Agent, scriptedModel } from "tenterhook/agent";

const cwd = mkdtempSync(join(tmpdir(), "tenterhook-agent-"));
const file = join(cwd, "haiku.txt");

const hooks = createHooks();
await hooks.use("safe-shell");
hooks.on("PreToolUse", { name: "no-prose", tools: ["Write"] }, ({ tool_input }) =>
  String(tool_input.content).split("\n").length < 3 ? deny("A haiku has three lines.") : undefined,
);
hooks.on("PostToolUse", { name: "encourage", tools: ["Write"] }, () => context("That is a good haiku."));
hooks.on("Stop", { name: "sign-it" }, () =>
  readFileSync(file, "utf8").includes("Basho") ? undefined : keepGoing("Sign the haiku with Basho."),
);

const model = scriptedModel([
  { tool_calls: [{ name: "Write", input: { file_path: "haiku.txt", content: "A pond." } }] },
  {
    tool_calls: [
      { name: "Write", input: { file_path: "haiku.txt", content: "Old pond\nfrog leaps in\nsplash" } },
    ],
  },
  { tool_calls: [{ name: "Bash", input: { command: "git push --force origin main" } }] },
  { text: "Here is your haiku." },
  {
    tool_calls: [
      { name: "Edit", input: { file_path: "haiku.txt", old_string: "splash", new_string: "splash (Basho)" } },
    ],
  },
  { text: "Now it is signed." },
]);

// An agent asks before it writes or runs anything. This one may edit its folder; what else it wants, `approval` decides.
const agent = new Agent({ model, hooks, cwd, mode: "accept-edits", approval: () => false });
for await (const item of agent.stream("Write a haiku.")) {
  if (item.type === "tool_call") console.log(`${item.tool_name} ${Object.values(item.tool_input)[0]}`);
  if (item.type === "tool_result")
    console.log(`  ${item.outcome === "denied" ? "denied: " : ""}${item.content.split("\n")[0]}`);
  if (item.type === "message" && item.message.role === "user" && item.message.source === "hook")
    for (const part of item.message.parts)
      if (part.type !== "file") console.log(`  a hook says: ${part.text}`);
  if (item.type === "done") console.log(`${item.result.stop_reason}: ${item.result.text}`);
}
await agent.close();

console.log(readFileSync(file, "utf8"));
rmSync(cwd, { recursive: true });
