import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, type AgentItem, defaultTools, scriptedModel } from "tenterhook/agent";
import { jsonlStore } from "tenterhook/stores";
import { afterAll, beforeAll, expect, it } from "vitest";
import { recordedSteps } from "../../../src/agent/model/script-file.ts";
import { thrown } from "../../support/thrown.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tenterhook-recorded-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const TASK = { agent_type: "general-purpose", task: "Look around.", description: "look" };
const STEPS = [
  { text: "I look.", tool_calls: [{ name: "Glob", input: { pattern: "*" }, id: "g1" }] },
  { text: "", tool_calls: [{ name: "Task", input: TASK, id: "t1" }] },
  { text: "Nothing is here." },
  { text: "It is empty." },
];

/** What was said in a conversation, without ids and times that are new each time. */
function spoken(agent: Agent): unknown {
  const messages = agent.transcript().map(({ role, parts }) => ({ role, parts }));
  return JSON.parse(JSON.stringify(messages).replaceAll(/sub-[0-9a-f]+/g, "sub"));
}

it("plays what a store has kept of a session and what was told of it, subagents included", async () => {
  const cwd = await mkdtemp(join(folder, "work-"));
  const store = jsonlStore({ dir: join(folder, "store") });
  const items: AgentItem[] = [];
  const first = new Agent({
    model: scriptedModel(STEPS),
    tools: defaultTools(),
    cwd,
    store,
    session: { session_id: "one" },
  });
  await first.run("What is here?", { onItem: (item) => items.push(item) });
  await first.run("And now?", { signal: AbortSignal.abort() });
  await first.close();
  await store.close();
  const lines = join(folder, "items.jsonl");
  await writeFile(lines, items.map((item) => `${JSON.stringify(item)}\n`).join(""));
  for (const file of [join(folder, "store", "sessions", "one.jsonl"), lines]) {
    const again = new Agent({ model: `scripted:${file}`, cwd });
    const { text } = await again.run("What is here?");
    await again.close();
    expect(text).toBe("It is empty.");
    expect(spoken(again)).toEqual(spoken(first));
  }
});

it("leaves out what no model said, and a last line that was cut off", () => {
  const line = (message: object): string =>
    `${JSON.stringify({ message: { role: "assistant", ...message } })}\n`;
  const parts = [{ type: "text", text: "Hello." }];
  const text = `${line({ parts })}${line({ parts, ended: "cancelled" })}\n${line({ parts, ended: "limit" })}{"mess`;
  expect(recordedSteps("s.jsonl", text)).toEqual([{ text: "Hello." }, { text: "Hello." }]);
});

it("says which line is none, and when there is nothing to play", () => {
  expect(thrown(() => recordedSteps("s.jsonl", '{"agent":"a"}\n- text: x\n'))).toEqual([
    "bad_script",
    "s.jsonl:2: This line is not a record of a session.",
  ]);
  expect(thrown(() => recordedSteps("s.jsonl", '{"agent":"a"}\n'))).toEqual([
    "bad_script",
    "s.jsonl: It contains no answer of a model.",
  ]);
});
