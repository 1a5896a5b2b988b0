// A process that works on the task of the crash test, or goes on with it: the folder. Prints the id of each kept message.
import { appendFileSync, existsSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Agent, type AgentItem, defaultTools, scriptedModel, type Tool } from "../../../src/agent.ts";
import { jsonlStore } from "../../../src/stores.ts";
import { nextStep, planOf } from "./crash-plan.ts";

const [folder = ""] = process.argv.slice(2);
const log = join(folder, "once.log");
const logged = (): readonly string[] => (existsSync(log) ? readFileSync(log, "utf8").split("\n") : []);
const schema = { type: "object", properties: { step: { type: "string" } }, required: ["step"] };

const once: Tool = {
  name: "Once",
  description: "Must not run twice.",
  input_schema: schema,
  run: async ({ step }, { tool_use_id, agent_id }) => {
    await pause(3);
    appendFileSync(log, `${String(step)}\n`);
    appendFileSync(join(folder, "calls.log"), `${agent_id} ${tool_use_id}\n`);
    await pause(10);
    return { content: "ran" };
  },
};
const look: Tool = {
  name: "Look",
  description: "May run again.",
  input_schema: schema,
  annotations: { read_only: true },
  replay: "safe",
  run: async () => ({ content: "seen" }),
};
const check: Tool = {
  ...look,
  name: "Check",
  run: async ({ step }) => ({ content: isDone(String(step)) ? "done" : "missing" }),
};

function isDone(id: string): boolean {
  const who = id.includes("-") ? id.slice(0, id.indexOf("-") + 1) : "";
  const { name, input } = planOf(who).find((step) => step.id === id) ?? {};
  if (name === "Once") return logged().includes(id);
  const file = join(folder, String(input?.file_path));
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  return name === "Edit" ? text === "version 2\n" : text !== "";
}

const store = jsonlStore({ dir: join(folder, "transcripts"), durability: "process" });
const options = {
  model: scriptedModel(Array.from({ length: 500 }, () => nextStep)),
  tools: [...defaultTools(), once, look, check],
  cwd: folder,
  store,
  mode: "bypass" as const,
};
const tell = (item: AgentItem): void => {
  if (item.type === "subagent") tell(item.item);
  else if (item.type === "message") writeSync(1, `kept ${item.message.id}\n`);
  else if (item.type === "tool_call") writeSync(1, `calls ${item.tool_name}\n`);
};
const stored = await store.load("root");
const agent =
  stored === undefined
    ? new Agent({ ...options, session: { session_id: "root" } })
    : await Agent.resume("root", options);
const { text, stop_reason, error } =
  agent.transcript().length === 0
    ? await agent.run("Take all steps.", { onItem: tell })
    : await agent.continue({ onItem: tell });
await agent.close();
await store.close();
writeSync(1, `ended ${stop_reason} ${error?.message ?? text}\n`);
