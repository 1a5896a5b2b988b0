import { rmSync } from "node:fs";
import { createHooks } from "tenterhook";
import { followConfig } from "tenterhook/config";
import { describe, expect, it, onTestFinished } from "vitest";
import { applyConfig } from "../../src/config/combine/apply.ts";
import { loadConfigCached } from "../../src/config/open.ts";
import { bashCall } from "../support/events.ts";
import { hooksFile, type Project, project } from "./support/project.ts";

const USER = "user/tenterhook/hooks.yaml";

/** What a process that decides one event answers. */
async function once(files: Project, command: string, cwd = files.options.cwd) {
  const hooks = createHooks();
  await applyConfig(hooks, await loadConfigCached({ ...files.options, cwd }));
  const { action, user_messages: messages } = await hooks.fire(bashCall(command));
  return [action, messages.length];
}

async function following(files: Project) {
  const hooks = createHooks();
  const followed = await followConfig(hooks, files.options);
  onTestFinished(() => followed.close());
  return async (command: string) => (await hooks.fire(bashCall(command))).action;
}

describe("the last good configuration", () => {
  it("is what was last in force, also when that came from the cache", async () => {
    const files = project({ [USER]: hooksFile("curl"), "project/sub/x": "" });
    expect(await once(files, "curl")).toEqual(["deny", 0]);
    files.write(USER, "hooks: {}");
    expect(await once(files, "curl", files.path("project/sub"))).toEqual(["continue", 0]);
    files.write(USER, hooksFile("curl"));
    expect(await once(files, "curl")).toEqual(["deny", 0]);
    files.write(USER, "hooks: [");
    expect(await once(files, "curl")).toEqual(["deny", 1]);
  });

  it("of a running process follows what others have read", async () => {
    const files = project({ [USER]: "hooks: {}" });
    const asked = await following(files);
    files.write(USER, "hooks: {}\n# changed");
    expect(await asked("curl")).toBe("continue");
    files.write(USER, hooksFile("curl"));
    expect(await once(files, "curl")).toEqual(["deny", 0]);
    expect(await asked("curl")).toBe("deny");
    files.write(USER, "hooks: [");
    expect(await asked("curl")).toBe("deny");
    expect(await asked("ls")).toBe("continue");
  });

  it("is what is stored: without it, gates are closed", async () => {
    const files = project({ [USER]: hooksFile("curl") });
    await once(files, "ls");
    const asked = await following(files);
    rmSync(files.path("state"), { recursive: true });
    files.write(USER, "hooks: [");
    expect([await asked("ls"), await asked("curl")]).toEqual(["deny", "deny"]);
  });

  it("stands in for all files while one is broken", async () => {
    const files = project({ [USER]: "hooks: {}", "hooks.yaml": hooksFile("p") });
    await files.trust();
    expect(await once(files, "curl")).toEqual(["continue", 0]);
    files.write("hooks.yaml", "hooks: [");
    files.write(USER, hooksFile("curl"));
    expect(await once(files, "curl")).toEqual(["continue", 1]);
    expect(await once(files, "p")).toEqual(["deny", 1]);
    files.write("hooks.yaml", hooksFile("p"));
    expect(await once(files, "curl")).toEqual(["deny", 0]);
    expect(await once(files, "p")).toEqual(["deny", 0]);
  });

  it("of a project that was never read is what its files say, while the user's is broken", async () => {
    const files = project({
      [USER]: hooksFile("curl"),
      "other/.git/HEAD": "",
      "other/.tenterhook/hooks.yaml": hooksFile("p"),
    });
    const other = files.path("other");
    await once(files, "curl");
    await files.trust(other);
    files.write(USER, "hooks: [");
    expect(await once(files, "curl", other)).toEqual(["deny", 1]);
    expect(await once(files, "p", other)).toEqual(["deny", 1]);
    expect(await once(files, "ls", other)).toEqual(["continue", 1]);
  });
});

describe("a file that was emptied", () => {
  it.each([
    ["hooks.yaml", "", "hooks: {}"],
    ["hooks.yaml", "# nothing\n", "{}"],
    ["hooks.toml", "", "[hooks]"],
  ])("%s %j keeps what it held, and says so", async (name, blank, nothing) => {
    const path = `user/tenterhook/${name}`;
    const toml = `[[hooks.definitions]]\nname = "curl"\ntype = "inline"\nrules = 'command contains "curl" -> deny("no")'\nmatcher = { events = ["PreToolUse"] }\n`;
    const files = project({ [path]: name.endsWith("toml") ? toml : hooksFile("curl") });
    const asked = await following(files);
    expect(await asked("curl")).toBe("deny");
    files.write(path, blank);
    expect([await asked("curl"), await asked("ls")]).toEqual(["deny", "continue"]);
    expect(await once(files, "curl")).toEqual(["deny", 1]);
    files.write(path, nothing);
    expect(await asked("curl")).toBe("continue");
    expect(await once(files, "curl")).toEqual(["continue", 0]);
    files.write(path, blank);
    expect(await once(files, "curl")).toEqual(["continue", 0]);
  });
});
