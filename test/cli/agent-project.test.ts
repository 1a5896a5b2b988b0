import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { newProject, shellCall } from "./support/project.ts";
import { runCli } from "./support/run-cli.ts";

const rule = (name: string, word: string) => ({
  name,
  type: "inline",
  matcher: { events: ["PreToolUse"], tools: ["Bash"] },
  rules: `command contains "${word}" -> deny("No ${word}.")`,
});

/** A project with a repository inside, in which the agent works that was started in the project. */
async function nested() {
  const project = newProject({ decidesHere: true });
  await project.configure([rule("outer", "push")]);
  const inner = join(project.cwd, "vendor/library");
  mkdirSync(join(inner, ".git"), { recursive: true });
  project.environment.CLAUDE_PROJECT_DIR = project.cwd;
  const reason = async (command: string, cwd: string): Promise<string | undefined> => {
    const { stdout } = await project.hook({ ...shellCall(command), cwd });
    return stdout === "" ? undefined : JSON.parse(stdout).hookSpecificOutput.permissionDecisionReason;
  };
  return { ...project, inner, reason };
}

describe("an agent that leaves the folder it was started in", () => {
  it("takes the policy of its project along, into a nested repository and anywhere else", async () => {
    const { inner, reason } = await nested();
    for (const folder of [inner, temporaryFolder()]) {
      expect(await reason("git push", folder)).toBe("No push.");
      expect(await reason("git push", folder)).toBe("No push.");
      expect(await reason("ls", folder)).toBeUndefined();
    }
  });

  it("meets the policy of the folder it is in too, each trusted by itself", async () => {
    const { inner, reason, write, environment } = await nested();
    write(
      "vendor/library/.tenterhook/hooks.yaml",
      `hooks: { definitions: [${JSON.stringify(rule("own", "fetch"))}] }`,
    );
    expect(await reason("ls", inner)).toContain('Hook "own" failed (untrusted)');
    // The user trusts it, outside the agent.
    await runCli(inner, { ...environment, CLAUDE_PROJECT_DIR: undefined }, "trust", "--yes");
    expect(await reason("ls", inner)).toBeUndefined();
    expect(await reason("git fetch", inner)).toBe("No fetch.");
    expect(await reason("git push", inner)).toBe("No push.");
  });

  it("is decided by another configuration for another project, in the same folder", async () => {
    const { inner, reason, environment, cwd } = await nested();
    expect(await reason("git push", inner)).toBe("No push.");
    environment.CLAUDE_PROJECT_DIR = inner;
    expect(await reason("git push", inner)).toBeUndefined();
    environment.CLAUDE_PROJECT_DIR = cwd;
    expect(await reason("git push", inner)).toBe("No push.");
  });

  it("is refused when its project is gone", async () => {
    const { inner, reason, environment, folder } = await nested();
    environment.CLAUDE_PROJECT_DIR = join(folder, "gone");
    expect(await reason("ls", inner)).toContain("There is no such folder.");
  });
});
