import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { kill } from "../support/faults/kill.ts";
import { CLI, runCli } from "./support/run-cli.ts";
import { sessions, workspace } from "./support/session-workspace.ts";

it("a run that was killed is resumed by another process", async () => {
  const { cwd, env } = workspace({
    "notes.txt": "hello\n",
    "slow.json": [
      { tool_calls: [{ name: "Read", input: { file_path: "notes.txt" } }] },
      { text: "never", delay_ms: 600_000 },
    ],
    "rest.json": [{ text: "It says hello." }],
  });
  const args = ["run", "What does it say?", "--model", "scripted:slow.json", "--json"];
  const child = spawn(process.execPath, [CLI, ...args], { cwd, env, stdio: ["ignore", "pipe", "ignore"] });
  const ended = once(child, "close");
  for await (const line of createInterface({ input: child.stdout }))
    if (line.includes('"type":"message"') && line.includes("tool_result")) kill(child);
  expect((await ended)[1]).toBe("SIGKILL");
  const [cut] = await sessions(cwd, env);
  expect(cut).toMatchObject({ status: "running", title: "What does it say?", cwd });
  const id = String(cut?.agent_id).slice(0, 8);
  const { code, stdout } = await runCli(cwd, env, "sessions", "resume", id, "--model", "scripted:rest.json");
  expect([code, stdout]).toEqual([0, expect.stringContaining("It says hello.")]);
  expect(await sessions(cwd, env)).toMatchObject([{ status: "complete", agent_id: cut?.agent_id }]);
});
