import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { stringify } from "yaml";
import { readPayload } from "../../src/adapters/read-payload.ts";
import { keptConfigs } from "../../src/hook/daemon/kept-config.ts";
import { eventually } from "../support/processes.ts";
import { newProject, shellCall } from "./support/project.ts";

const hook = (rules: string) => ({
  name: "guard",
  type: "inline",
  matcher: { events: ["PreToolUse"] },
  rules,
});

/** A project whose configuration is cached, with a daemon's way to find it. Its clock stands still until its files are `old`. */
async function cachedProject() {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const project = newProject();
  const { cwd, environment } = project;
  await project.configure([hook('command contains "one" -> deny("No.")')]);
  const text = JSON.stringify({ session_id: "s1", cwd, tool_use_id: "t1", ...shellCall("true") });
  const native = await readPayload(text, environment, cwd);
  const find = keptConfigs();
  const read = async () => (await find(native, "PreToolUse")).config;
  await read();
  const old = async () => {
    const { ctimeMs } = statSync(join(cwd, ".tenterhook/hooks.yaml"));
    // The clock of the file system goes on in steps.
    await eventually(() => {
      const { ctimeMs: now } = statSync(project.write("../clock", String(performance.now())));
      expect(now).toBeGreaterThan(ctimeMs);
    });
    vi.setSystemTime(Date.now() + 60_000);
  };
  return { ...project, read, old };
}

describe("what decides an event, in a process that decides many", () => {
  it("is read once, and once more when its files are no longer young", async () => {
    const { read, old } = await cachedProject();
    expect(await read()).toBe(await read());
    await old();
    expect(await read()).toBe(await read());
  });

  it("is read again when a file has changed, also to the same length with the same time", async () => {
    const { read, old, cwd } = await cachedProject();
    await old();
    const before = await read();
    expect(await read()).toBe(before);
    const file = join(cwd, ".tenterhook/hooks.yaml");
    const { atime, mtime } = statSync(file);
    writeFileSync(file, readFileSync(file, "utf8").replace("one", "two"));
    utimesSync(file, atime, mtime);
    expect((await read()).trust.untrusted).not.toEqual(before.trust.untrusted);
  });

  it("is read again when the project is moved and a link left in its place", async () => {
    const { read, old, cwd } = await cachedProject();
    await old();
    const before = await read();
    expect(await read()).toBe(before);
    renameSync(cwd, `${cwd}-moved`);
    symlinkSync(`${cwd}-moved`, cwd);
    expect(await read()).not.toBe(before);
  });

  it("is read again when a file appears that counts, or one that counted disappears", async () => {
    const { read, old, environment, cwd } = await cachedProject();
    await old();
    const names = async () =>
      (await read()).hooks
        .map(({ hook: { name } }) => name)
        .filter((name) => !name.startsWith("tenterhook:"));
    expect(await names()).toEqual(["guard"]);
    const user = join(String(environment.XDG_CONFIG_HOME), "tenterhook");
    mkdirSync(user, { recursive: true });
    const own = { ...hook("tool exists -> deny()"), name: "own" };
    writeFileSync(join(user, "hooks.yaml"), stringify({ hooks: { definitions: [own] } }));
    expect(await names()).toEqual(["own", "guard"]);
    rmSync(join(cwd, ".tenterhook"), { recursive: true });
    expect(await names()).toEqual(["own"]);
  });
});
