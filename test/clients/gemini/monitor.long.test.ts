import { describe, expect, it } from "vitest";
import { installInto } from "../support/client.ts";
import { GEMINI } from "../support/gemini.ts";
import { monitoredProject } from "../support/monitored.ts";

describe("Gemini CLI under the monitor", () => {
  it("reports what it does where the hooks are installed", async () => {
    const { project, agents, reported } = monitoredProject({ on_prompt: "escalate" });
    project.environment.TENTERHOOK_AGENT_ID = "worker";
    await installInto("gemini", project, [], { options: ["--user"] });
    const { code } = await GEMINI.run({ project, script: [GEMINI.shell("echo hello")] });
    expect(code).toBe(0);
    expect(reported()).toEqual(["agent:start", "agent:turn", "agent:stopped", "agent:exit"]);
    expect(await agents()).toMatchObject([
      { agent_id: "worker", host: "gemini", state: "exited", cwd: project.cwd, pid: expect.any(Number) },
    ]);
  });
});
