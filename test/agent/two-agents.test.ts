import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defaultTools } from "tenterhook/agent";
import { describe, expect, it } from "vitest";
import { withFileLock } from "../../src/agent/tools/files/file-lock.ts";
import { claimFile } from "../../src/node/files/claim-file.ts";
import { stateFolder } from "../../src/node/user-folders.ts";
import { agentOf, scratch, story } from "./support/agents.ts";

/** Two agents with one folder and one user. */
function two() {
  const cwd = scratch();
  const agent = (calls: readonly { name: string; input: Record<string, unknown> }[]) => {
    const steps = calls.map((call) => ({ tool_calls: [call] }));
    return agentOf(steps, { cwd, tools: defaultTools() }).agent;
  };
  return { cwd, agent };
}

const write = (content: string) => ({ name: "Write", input: { file_path: "f.txt", content } });
const read = { name: "Read", input: { file_path: "f.txt" } };

/** What the tools answered. */
async function results(agent: ReturnType<ReturnType<typeof two>["agent"]>) {
  await agent.run("go");
  return story(agent.transcript()).filter((line) => line.startsWith("tool"));
}

describe("two agents in one folder", () => {
  it("do not replace each other's file without a word", async () => {
    const { cwd, agent } = two();
    const first = agent([write("of the first")]);
    await first.run("go");
    const [refused, , replaced] = await results(agent([write("of the second"), read, write("of both")]));
    expect(refused).toBe(
      `tool fails: f.txt was just written by another agent (${first.agent_id}), and you have not read it. Read it, then repeat the change.`,
    );
    expect(replaced).toMatch(/^tool answers: Replaced f\.txt/);
    expect(readFileSync(join(cwd, "f.txt"), "utf8")).toBe("of both");
  });

  it("replace what a person or another program has written since", async () => {
    const { cwd, agent } = two();
    await agent([write("of the first")]).run("go");
    writeFileSync(join(cwd, "f.txt"), "of a person");
    expect(await results(agent([write("of the second")]))).toEqual([
      expect.stringMatching(/^tool answers: Replaced f\.txt/),
    ]);
  });

  it("an agent replaces its own file as often as it likes", async () => {
    const { agent } = two();
    expect(await results(agent([write("one"), write("two")]))).toEqual([
      expect.stringMatching(/^tool answers: Created/),
      expect.stringMatching(/^tool answers: Replaced/),
    ]);
  });

  it("take turns at a file, also in two processes", async () => {
    const place = { written: "f.txt", real: join(scratch(), "f.txt") };
    const { signal } = new AbortController();
    const context = { agent_id: "a", signal, memory: new Map(), environment: process.env };
    const locks = join(stateFolder(), "locks");
    const held = await withFileLock(place, context, async () => readdirSync(locks));
    const free = new Set(readdirSync(locks));
    const name = held.find((file) => !free.has(file)) ?? "";
    const claim = claimFile(join(locks, name));
    const steps: string[] = [];
    const second = withFileLock(place, context, async () => void steps.push("second"));
    await new Promise((resolve) => setImmediate(resolve));
    steps.push("first");
    claim?.release();
    await second;
    expect(steps).toEqual(["first", "second"]);
  });
});
