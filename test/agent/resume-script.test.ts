import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Agent, defaultTools, openModel, scriptedModel, type Tool } from "tenterhook/agent";
import { jsonlStore, memoryStore, type TranscriptStore } from "tenterhook/stores";
import { describe, expect, it } from "vitest";
import { echo, says, scratch, story } from "./support/agents.ts";

type Steps = readonly Record<string, unknown>[];

/** A folder with a script, and agents that play it. */
function scripted(steps: Steps) {
  const cwd = scratch();
  writeFileSync(join(cwd, "script.json"), JSON.stringify(steps));
  const model = (file = "script.json") => openModel(`scripted:${file}`, { environment: {}, root: cwd });
  return { cwd, model };
}

/** What is left of a store when the process of its agents is killed: messages, and nobody who has a claim. */
async function afterKill(
  store: TranscriptStore,
  session_id: string,
  messages: number,
): Promise<TranscriptStore> {
  const left = memoryStore();
  for (const metadata of (await store.list({ session_id })).transcripts) {
    const stored = (await store.load(metadata.agent_id))?.messages ?? [];
    const some = metadata.agent_id === session_id ? stored.slice(0, messages) : stored;
    for (const message of some) await left.append(message, metadata);
    if (metadata.agent_id !== session_id) await left.save({ status: metadata.status }, metadata);
  }
  return left;
}

describe("a script in a file, in a conversation that goes on,", () => {
  const steps = [
    { tool_calls: [says("one")] },
    { error: { status: 529, message: "busy" } },
    { tool_calls: [says("two")] },
    { text: "three" },
  ];

  it.each([1, 2, 3, 4, 5])("is played on when %i messages were kept", async (messages) => {
    const { cwd, model } = scripted(steps);
    const store = memoryStore();
    const limits = { retry_wait_seconds: 0.001 };
    const tools = [{ ...echo, replay: "safe" as const }];
    const options = { cwd, tools, limits };
    const agent = new Agent({ ...options, model: await model(), store });
    await agent.run("Go.");
    await agent.close();
    const left = await afterKill(store, agent.session_id, messages);
    const resumed = await Agent.resume(agent.agent_id, { ...options, model: await model(), store: left });
    await resumed.continue();
    await resumed.close();
    expect(story(resumed.transcript())).toEqual(story(agent.transcript()));
  });

  it("begins where the script of the last run ended, also behind an error that ended it", async () => {
    const { cwd, model } = scripted([
      { text: "one" },
      { error: { status: 400, message: "no" } },
      { text: "two" },
    ]);
    const store = jsonlStore({ dir: join(cwd, "transcripts") });
    const replies: string[] = [];
    let id: string | undefined;
    for (const task of ["A", "B", "C", "D"]) {
      const options = { cwd, tools: [echo], model: await model(), store };
      const agent = id === undefined ? new Agent(options) : await Agent.resume(id, options);
      replies.push((await agent.run(task)).text);
      id = agent.agent_id;
      await agent.close();
    }
    await store.close();
    expect(replies).toEqual(["one", expect.stringContaining("no"), "two", "done"]);
  });

  it("counts what subagents that share it were told", async () => {
    const task = { agent_type: "general-purpose", task: "Look.", description: "look" };
    const { cwd, model } = scripted([
      { tool_calls: [{ name: "Task", input: task }] },
      { tool_calls: [says("seen")] },
      { text: "child" },
      { text: "parent" },
    ]);
    const store = memoryStore();
    const tools: readonly Tool[] = [...defaultTools(), echo];
    const agent = new Agent({ cwd, tools, model: await model(), store });
    expect(await agent.run("Go.")).toMatchObject({ text: "parent" });
    await agent.close();
    const left = await afterKill(store, agent.session_id, 2);
    const resumed = await Agent.resume(agent.agent_id, { cwd, tools, model: await model(), store: left });
    expect(await resumed.continue()).toMatchObject({ text: "parent" });
    await resumed.close();
    expect(story(resumed.transcript())).toEqual(story(agent.transcript()));
  });

  it("begins with its first step when another one was played, and so does one in TypeScript", async () => {
    const { cwd, model } = scripted([{ text: "one" }, { text: "two" }]);
    writeFileSync(join(cwd, "other.json"), JSON.stringify([{ text: "other one" }]));
    const store = memoryStore();
    const agent = new Agent({ cwd, model: await model(), store });
    await agent.run("A");
    const replies: string[] = [];
    for (const other of [await model("other.json"), scriptedModel([{ text: "here" }]), await model()]) {
      const resumed = await Agent.resume(agent.agent_id, { cwd, model: other, store });
      replies.push((await resumed.run("B")).text);
      await resumed.close();
    }
    await agent.close();
    expect(replies).toEqual(["other one", "here", "two"]);
  });
});
