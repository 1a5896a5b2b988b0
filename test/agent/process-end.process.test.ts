import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { defaultTools } from "tenterhook/agent";
import { describe, expect, it } from "vitest";
import { bundledProgram } from "../support/bundled-program.ts";
import { eventually, processesWith } from "../support/processes.ts";
import { agentOf } from "./support/agents.ts";

const program = bundledProgram(new URL("support/ending-worker.ts", import.meta.url));

async function ended(how: string): Promise<{ code: unknown; printed: string; problems: string }> {
  const child = spawn(process.execPath, [program, how], { stdio: ["ignore", "pipe", "pipe"] });
  const [printed, problems, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { code, printed, problems };
}

describe("a process that ends while its agent works", () => {
  it("by process.exit has SessionEnd hooks heard, as far as they answer at once", async () => {
    expect(await ended("exit")).toEqual({ code: 3, printed: "ended error\n", problems: "" });
  });

  it.each(["throw", "reject"])(
    "by an error (%s) closes the agent first, and fails as it would",
    async (how) => {
      const { code, printed, problems } = await ended(how);
      expect([code, printed]).toEqual([1, "ended error\ntidied up\n"]);
      expect(problems).toContain("Error: nobody catches this\n    at ");
    },
  );

  it("by who catches its errors leaves that to them", async () => {
    expect(await ended("caught")).toMatchObject({ code: 4, printed: "caught\nended error\n" });
  });
});

it("what a finished command left running, in a session of its own, ends with the agent", async () => {
  const mark = `left-behind-${process.pid}`;
  const command = `LEFT=${mark} nohup setsid sleep 600 >/dev/null 2>&1 & disown; echo bye`;
  const { agent } = agentOf([{ tool_calls: [{ name: "Bash", input: { command } }] }], {
    tools: defaultTools(),
  });
  await agent.run("go");
  await eventually(() => expect(processesWith(`LEFT=${mark}`).length).toBeGreaterThan(0));
  await agent.close();
  expect(processesWith(`LEFT=${mark}`)).toEqual([]);
});
