// A process with a subagent in the background that never ends: the folder. Says so when both are at work, and waits to be
// killed.
import { writeSync } from "node:fs";
import { join } from "node:path";
import { Agent, defaultTools, scriptedModel, type Tool } from "../../../src/agent.ts";
import { jsonlStore } from "../../../src/stores.ts";

const [folder = ""] = process.argv.slice(2);
let parentWaits = (): void => {};
const whenParentWaits = new Promise<void>((resolve) => {
  parentWaits = resolve;
});
const wait: Tool = {
  name: "Wait",
  description: "Never ends.",
  input_schema: { type: "object" },
  run: ({ who }) => {
    writeSync(1, `${String(who)} waits\n`);
    if (who === "parent") parentWaits();
    return new Promise(() => {});
  },
};
const call = (name: string, input: Record<string, unknown>) => ({ tool_calls: [{ name, input }] });
const task = (text: string) =>
  call("Task", { agent_type: "general-purpose", task: text, description: text, run_in_background: true });
const play = ({ prompt }: { prompt: readonly { role: string; content: unknown }[] }) => {
  const first = JSON.stringify(prompt.find(({ role }) => role === "user")?.content);
  // Not before the parent can't be told any more.
  if (first.includes("QUICK")) return whenParentWaits.then(() => ({ text: "Quick is done." }));
  if (first.includes("SLOW")) return call("Wait", { who: "child" });
  const results = prompt.filter(({ role }) => role === "tool").length;
  return [task("SLOW"), task("QUICK")][results] ?? call("Wait", { who: "parent" });
};
// Keeps the process alive, which has nothing else to do.
setInterval(() => {}, 60_000);
const agent = new Agent({
  mode: "bypass",
  model: scriptedModel(Array.from({ length: 20 }, () => play)),
  tools: [...defaultTools(), wait],
  cwd: folder,
  store: jsonlStore({ dir: join(folder, "transcripts") }),
  session: { session_id: "root" },
});
await agent.run("Delegate.");
