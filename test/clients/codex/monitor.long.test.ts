import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { rulesHook } from "../../support/hook-definitions.ts";
import { installInto, type Step, watchAs } from "../support/client.ts";
import { CODEX, runCodex } from "../support/codex.ts";
import { monitoredProject, ONE_TURN } from "../support/monitored.ts";

/** A call that leaves the sandbox, which needs a permission. */
const escalated = (cmd: string): Step => [
  ["exec_command", { cmd, sandbox_permissions: "require_escalated", justification: "It must." }],
];
const ASKS = ["--approve-for-me", "-c", 'sandbox_mode="workspace-write"'];

describe("Codex under the monitor", () => {
  it("reports what it does through hooks that only this run has", async () => {
    const { project, shows, reported } = monitoredProject({ on_prompt: "escalate" });
    const { code } = await runCodex({ project, script: [CODEX.shell("touch made")], through: watchAs("w1") });
    expect(code).toBe(0);
    expect(existsSync(join(project.cwd, "made"))).toBe(true);
    await shows({
      agent_id: "w1",
      host: "codex",
      state: "exited",
      exit_code: 0,
      session_id: expect.any(String),
    });
    expect(reported()).toEqual(ONE_TURN);
    expect(existsSync(join(project.folder, "home/.codex/hooks.json"))).toBe(false);
  });

  it("is reported once where the hooks are installed, too, and those stay trusted", async () => {
    const { project, reported } = monitoredProject({ on_prompt: "escalate" });
    const refuses = rulesHook("refuses", 'command contains "made" -> deny("Nothing is made here.")');
    await installInto("codex", project, [refuses], { options: ["--trust"] });
    await runCodex({ project, script: [CODEX.shell("touch made")], through: watchAs("w1") });
    expect(existsSync(join(project.cwd, "made"))).toBe(false);
    expect(reported().filter((type) => type === "agent:turn")).toEqual(["agent:turn"]);
  });

  it("waits for a permission, and goes on when the command line gives it", async () => {
    const { project, shows, resolve, decisions } = monitoredProject({
      on_prompt: { action: "answer", wait: "1m" },
    });
    const running = runCodex({
      project,
      script: [escalated("touch permitted")],
      args: ASKS,
      through: watchAs("builder"),
    });
    await shows({ agent_id: "builder", host: "codex", state: "prompting", prompt_type: "permission" });
    expect(await decisions()).toMatchObject([
      { source: "permission", context: expect.stringContaining("touch permitted") },
    ]);
    await resolve("allow");
    await running;
    expect(existsSync(join(project.cwd, "permitted"))).toBe(true);
  });

  it("does not run what the command line denies", async () => {
    const { project, shows, resolve } = monitoredProject({ on_prompt: { action: "answer", wait: "1m" } });
    const running = runCodex({
      project,
      script: [escalated("touch permitted")],
      args: ASKS,
      through: watchAs("builder"),
    });
    await shows({ state: "prompting" });
    await resolve("deny", "-m", "Stay inside.");
    const { lastSent } = await running;
    expect([existsSync(join(project.cwd, "permitted")), lastSent.includes("Stay inside.")]).toEqual([
      false,
      true,
    ]);
  });
});
