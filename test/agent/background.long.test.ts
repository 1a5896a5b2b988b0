import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createHooks } from "tenterhook";
import { Agent, defaultTools, scriptedModel } from "tenterhook/agent";
import { jsonlStore } from "tenterhook/stores";
import { expect, it, onTestFinished } from "vitest";
import { bundledProgram } from "../support/bundled-program.ts";
import { kill } from "../support/faults/kill.ts";
import { endAfterTest, eventually } from "../support/processes.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { echo, story } from "./support/agents.ts";

const program = bundledProgram(new URL("support/background-worker.ts", import.meta.url));

/** A process that was killed while one subagent worked in the background, and the result of another was not yet told. */
async function killed() {
  const folder = temporaryFolder();
  const child = spawn(process.execPath, [program, folder], { stdio: ["ignore", "pipe", "inherit"] });
  endAfterTest(child);
  const store = jsonlStore({ dir: join(folder, "transcripts") });
  onTestFinished(() => store.close());
  const waiting = new Set<string>();
  for await (const line of createInterface({ input: child.stdout })) {
    waiting.add(line);
    if (waiting.size === 2) break;
  }
  const children = async () => (await store.list({ parent_agent_id: "root" })).transcripts;
  await eventually(async () =>
    expect((await children()).map(({ status }) => status).sort()).toEqual(["complete", "running"]),
  );
  const gone = once(child, "exit");
  kill(child);
  await gone;
  const idOf = async (title: string) =>
    (await children()).find((known) => known.title === title)?.agent_id ?? "";
  return { store, slow: await idOf("SLOW"), quick: await idOf("QUICK") };
}

it("a resumed agent hears, once, what became of what it had in the background, and can go on with it", async () => {
  const { store, slow, quick } = await killed();
  const tools = [...defaultTools(), { ...echo, name: "Wait" }];
  const events: unknown[] = [];
  const hooks = createHooks();
  hooks.on("PostBackgroundToolUse", ({ tool_input }) => {
    events.push(tool_input?.task);
  });
  const resumed = await Agent.resume("root", {
    model: scriptedModel([
      {
        tool_calls: [
          {
            name: "Task",
            input: { agent_type: "x", task: "Go on.", description: "on", resume_agent_id: slow },
          },
        ],
      },
      { text: "Slow is done." },
      { text: "Both are done." },
    ]),
    tools,
    store,
    hooks,
  });
  expect(await resumed.continue()).toMatchObject({ text: "Both are done." });
  await resumed.close();
  const delivered = resumed.transcript().filter((message) => message.role === "user" && message.delivers);
  expect(story(delivered)).toEqual([
    `user text: Task (call_1), which ran in the background, was cut off:\nThe subagent ${slow} was stopped before it had answered (running): the outcome of its work is unknown. Its conversation is stored: to continue it, call Task with resume_agent_id "${slow}".`,
    `user text: Task (call_2), which ran in the background, is done:\nQuick is done.\n\n(agent_id: ${quick})`,
  ]);
  expect(events).toEqual(["SLOW", "QUICK"]);
  expect(story(resumed.transcript()).at(-2)).toBe(`tool answers: Slow is done.\n\n(agent_id: ${slow})`);
  const again = await Agent.resume("root", {
    model: scriptedModel([{ text: "Nothing new." }]),
    tools,
    store,
  });
  await again.run("And?");
  await again.close();
  expect(again.transcript().filter((message) => message.role === "user" && message.delivers)).toHaveLength(2);
});
