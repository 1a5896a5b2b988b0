import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { needs } from "../support/needs.ts";
import { eventually } from "../support/processes.ts";
import { shellCall } from "./support/project.ts";
import { DENIED, logged, NO_PUSH } from "./support/served-calls.ts";
import { call, callDaemon, servedProject, start } from "./support/served-project.ts";

needs("perl");

describe("a call with a daemon", () => {
  it("is decided and recorded by the daemon", async () => {
    const project = await servedProject([NO_PUSH]);
    expect(await callDaemon(project, shellCall("git push"))).toEqual(DENIED);
    await eventually(() => expect(project.journal()).toHaveLength(1));
    expect(await logged(project)).toEqual([expect.stringMatching(/^call[0-9a-f]{24}-1$/)]);
    const log = readFileSync(join(project.folder, "state/tenterhook/monitor/daemon.log"), "utf8");
    // Another program may have had its port.
    expect(log.trim().split("\n").at(-1)).toContain("listening at");
    // The perl on the PATH is not the one that asks.
    const { PATH } = project.environment;
    project.environment.PATH = join(project.folder, "no-programs");
    delete project.environment.TENTERHOOK_DAEMON;
    const { findings } = JSON.parse((await project.run(["doctor", "--json"])).stdout);
    project.environment.PATH = PATH;
    expect(findings.filter(({ about }: { about: string }) => about === "monitor")).toEqual([
      {
        level: "ok",
        about: "monitor",
        message: expect.stringMatching(/^The daemon runs .*, and tenterhook hook asks it first\.$/),
      },
    ]);
  });

  it("that waits for a human holds up no other", async () => {
    const project = await servedProject([NO_PUSH], { on_prompt: { action: "answer", wait: "10m" } });
    const held = start(project, {
      hook_event_name: "PermissionRequest",
      tool_name: "AskUserQuestion",
      tool_input: { questions: [{ question: "Which?", options: [{ label: "Blue" }, { label: "Red" }] }] },
    });
    await eventually(async () => {
      const { stdout } = await project.run(["decisions", "--json"]);
      expect(JSON.parse(stdout).decisions).toHaveLength(1);
    });
    expect(await call(project, { ...shellCall("git push"), session_id: "s2" })).toEqual(DENIED);
    expect(held.child.exitCode).toBe(null);
    const { stdout } = await project.run(["decisions", "--json"]);
    await project.run(["answer", JSON.parse(stdout).decisions[0].id, "Red"]);
    expect((await held.result).stdout).toContain('"Red"');
  });
});
