import { mkdirSync } from "node:fs";
import { createHooks } from "tenterhook";
import { loadConfig, reviewTrust, revokeTrust } from "tenterhook/config";
import { describe, expect, it } from "vitest";
import { applyConfig } from "../../src/config/combine/apply.ts";
import { loadConfigCached } from "../../src/config/open.ts";
import { bashCall } from "../support/events.ts";
import { hooksFile, type Project, project } from "./support/project.ts";

/** What a process that decides one event in a folder says. */
async function asked(files: Project, command: string, cwd = "project/sub") {
  const config = await loadConfigCached({ ...files.options, cwd: files.path(cwd) });
  const hooks = createHooks();
  await applyConfig(hooks, config);
  const { action, runs } = await hooks.fire(bashCall(command));
  const own = runs.filter(({ name }) => name !== "tenterhook:self-protection");
  return [action, own.map(({ name, failure }) => [name, failure?.kind ?? "ran"])];
}

describe("a folder nearer than a trusted project", () => {
  it("hides nothing when it is empty, or holds nothing that is read", async () => {
    const files = project({ "hooks.yaml": hooksFile("rm") });
    await files.trust();
    mkdirSync(files.path("project/sub/.tenterhook/hooks"), { recursive: true });
    expect(await asked(files, "rm")).toEqual(["deny", [["rm", "ran"]]]);
    files.write("project/sub/.tenterhook/hooks.bak", "");
    files.write("project/sub/.tenterhook/hooks.ymal", "");
    expect(await asked(files, "rm")).toEqual(["deny", [["rm", "ran"]]]);
    expect((await loadConfig({ ...files.options, cwd: files.path("project/sub") })).trust).toEqual({
      root: files.path("project"),
      state: "trusted",
      untrusted: [],
    });
  });

  it("is trusted by itself, and takes nothing from the outer one", async () => {
    const files = project({ "hooks.yaml": hooksFile("rm") });
    await files.trust();
    files.write("project/sub/.tenterhook/hooks.yaml", "hooks: { disabled: [rm], timeout: 1 }");
    expect(await asked(files, "rm")).toEqual(["deny", [["rm", "ran"]]]);
    files.write("project/sub/.tenterhook/hooks.yaml", hooksFile("own"));
    expect(await asked(files, "ls")).toEqual([
      "deny",
      [
        ["rm", "ran"],
        ["own", "untrusted"],
      ],
    ]);
    const review = await files.trust(files.path("project/sub"));
    expect(review.items.map(({ id, state }) => [id.replace(files.root, ""), state])).toEqual([
      [".tenterhook/hooks.yaml in /project", "trusted"],
      [".tenterhook/hooks.yaml", "new"],
    ]);
    expect(await asked(files, "ls")).toEqual(["continue", expect.anything()]);
    expect(await asked(files, "own")).toEqual(["deny", expect.anything()]);
    expect((await reviewTrust(files.options)).items.map(({ id, state }) => [id, state])).toEqual([
      [".tenterhook/hooks.yaml", "trusted"],
    ]);
    expect(await revokeTrust({ ...files.options, cwd: files.path("project/sub") })).toBe(2);
    expect((await reviewTrust(files.options)).state).toBe("untrusted");
  });

  it("that can't be read closes gates, but says so next to the outer one", async () => {
    const files = project({ "hooks.yaml": hooksFile("rm") });
    await files.trust();
    files.write("project/sub/.tenterhook/hooks.yaml", "hooks: [");
    const [action, runs] = await asked(files, "ls");
    expect([action, runs]).toEqual([
      "deny",
      [
        ["tenterhook:configuration", "ran"],
        ["rm", "ran"],
      ],
    ]);
  });

  it("gives a hook its own project's folder", async () => {
    const files = project({
      "hooks.yaml":
        'hooks: { definitions: [{ name: x, type: command, command: "echo $CLAUDE_PROJECT_DIR >&2; exit 2", matcher: { events: [PreToolUse] } }] }',
      "project/sub/.tenterhook/hooks.yaml": "hooks: {}",
    });
    await files.trust(files.path("project/sub"));
    const config = await loadConfig({ ...files.options, cwd: files.path("project/sub") });
    const hooks = createHooks();
    await applyConfig(hooks, config);
    expect((await hooks.fire(bashCall("ls"))).reason).toContain(`${files.path("project")}`);
    expect((await hooks.fire(bashCall("ls"))).reason).not.toContain("sub");
  });
});
