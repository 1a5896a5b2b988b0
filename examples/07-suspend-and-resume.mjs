// An agent delegates, then waits for a human. Whoever has the answer goes on with it from its transcript.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHooks } from "tenterhook";
import { Agent, defaultTools, scriptedModel } from "tenterhook/agent";
import { jsonlStore } from "tenterhook/stores";

const folder = mkdtempSync(join(tmpdir(), "tenterhook-example-"));
const store = jsonlStore({ dir: folder });
const hooks = createHooks();
hooks.on("SubagentStart", { name: "tell" }, ({ agent_type, task }) => {
  console.log(`${agent_type} starts: ${task}`);
});
hooks.on("Resume", { name: "tell-resume" }, () => {
  console.log("the agent goes on");
});

// The subagent and its parent share the model here: the second step is the subagent's.
const task = { agent_type: "general-purpose", task: "Count the files.", description: "count files" };
const first = scriptedModel([
  { tool_calls: [{ name: "Task", input: task }] },
  { text: "There are 12 files." },
  { tool_calls: [{ name: "AskUserQuestion", input: { questions: [{ question: "Delete them?" }] } }] },
]);
const agent = new Agent({ model: first, tools: defaultTools(), hooks, store, suspend: true, cwd: folder });
const { stop_reason, waiting_for } = await agent.run("Tidy up.");
await agent.close();
console.log(stop_reason, waiting_for?.type);

// Another process would do the same, with nothing but the id. An answer names the call it is for.
const second = scriptedModel([{ text: "Then I leave them." }]);
const resumed = await Agent.resume(agent.agent_id, { model: second, tools: defaultTools(), hooks, store });
const tool_use_id = resumed.waiting_for?.tool_use_id ?? "";
const { text } = await resumed.continue({ tool_use_id, answers: "No." });
await resumed.close();
console.log(text);

const { transcripts } = await store.list();
for (const { agent_type, status, title } of transcripts) console.log(`${agent_type}: ${status}: ${title}`);
await store.close();
rmSync(folder, { recursive: true });
