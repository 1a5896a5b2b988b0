import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { newProject } from "./support/project.ts";
import { QUESTION, spool, userConfig, waiting } from "./support/prompts.ts";
import { CLI } from "./support/run-cli.ts";

describe("on_prompt: answer", () => {
  const HOLD = { monitor: { on_prompt: { action: "answer", wait: "10m" } } };

  it("a held prompt ends with the agent", async () => {
    const project = newProject();
    userConfig(project, HOLD);
    const { cwd, environment } = project;
    const child = spawn(process.execPath, [CLI, "hook"], { cwd, env: environment });
    child.stdin.end(JSON.stringify({ session_id: "s1", cwd, tool_use_id: "t1", ...QUESTION }));
    await waiting(project);
    child.kill("SIGTERM");
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
    expect([output, code]).toEqual(["", 0]);
    const [asked, ended] = spool(project);
    expect(ended).toMatchObject({
      type: "agent:interrupted",
      prompt: asked?.id,
      by: "Interrupted in the terminal.",
    });
  });
});
