import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { rulesHook } from "../support/hook-definitions.ts";
import { newProject, shellCall } from "./support/project.ts";

const GATE = rulesHook("no-push", 'command contains "git push" -> deny("Not from here.")');

describe("an agent that would switch its own hooks off", () => {
  it("is stopped after init and install, before a human has approved it", async () => {
    const project = newProject({ decidesHere: true });
    await project.run(["init", "--yes"]);
    await project.run(["trust", "--yes"]);
    await project.run(["install", "claude"]);
    for (const command of [
      'echo "{}" > .claude/settings.json',
      "mv .claude elsewhere",
      "npx tenterhook uninstall claude",
      "find -delete",
      "ln -s .claude/settings.json x",
    ]) {
      const { stdout } = await project.hook({ ...shellCall(command), tool_use_id: command });
      const { hookSpecificOutput: reply } = JSON.parse(stdout);
      expect([command, reply.permissionDecision]).toEqual([command, "ask"]);
      expect(reply.permissionDecisionReason).toContain("guard this agent");
    }
    expect((await project.hook(shellCall("cat .claude/settings.json"))).stdout).toBe("");
  });
});

describe("an installed entry that has vanished", () => {
  it("is noticed by doctor and by every later call, until it is restored or taken out on purpose", async () => {
    const project = newProject({ decidesHere: true });
    await project.configure([GATE]);
    await project.run(["install", "claude"]);
    await project.run(["install", "claude", "--user"]);
    const says = async (id: string): Promise<unknown> => {
      const { stdout } = await project.hook({ ...shellCall("ls"), tool_use_id: id });
      return stdout === "" ? undefined : JSON.parse(stdout).systemMessage;
    };
    expect(await says("before")).toBeUndefined();
    project.write(".claude/settings.json", "{}\n");
    const notice =
      ".claude/settings.json no longer calls Tenterhook. Restore it with: tenterhook install claude";
    for (const id of ["first", "second"]) expect(await says(id)).toContain(notice);
    expect((await project.run(["doctor"])).stdout).toContain("no longer calls Tenterhook");
    await project.run(["install", "claude"]);
    expect(await says("restored")).toBeUndefined();
    rmSync(join(project.cwd, ".claude"), { recursive: true });
    expect(await says("removed")).toContain(notice);
    await project.run(["uninstall", "claude"]);
    expect(await says("taken out")).toBeUndefined();
    rmSync(join(String(project.environment.HOME), ".claude"), { recursive: true });
    expect(await says("the user's")).toContain("Restore it with: tenterhook install claude --user");
  });
});
