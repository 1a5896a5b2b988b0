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
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { readPayload } from "../../src/adapters/agents.ts";
import { keptConfigs } from "../../src/hook/daemon/kept-config.ts";
import { eventually } from "../support/processes.ts";
import { newProject, shellCall } from "./support/project.ts";

const hook = (rules: string) => ({
  name: "guard",
  type: "inline",
  matcher: { events: ["PreToolUse"] },
  rules,
});

/** A project whose configuration is cached, with a daemon's way to find it. */
async function cachedProject() {
  const project = newProject();
  const { cwd, environment } = project;
  await project.configure([hook('command contains "one" -> deny("No.")')]);
  const text = JSON.stringify({ session_id: "s1", cwd, tool_use_id: "t1", ...shellCall("true") });
  const native = await readPayload(text, environment, cwd);
  const find = keptConfigs();
  const read = async () => (await find(native, "PreToolUse")).config;
  await read();
  return { ...project, read };
}

/** Stamps of younger files may survive a change. */
const SETTLED = 2300;

describe("what decides an event, in a process that decides many", () => {
  it("is read again while its files are young, and then once", async () => {
    const { read, cwd } = await cachedProject();
    // They are old when this process has stood still.
    await eventually(async () => {
      utimesSync(join(cwd, ".tenterhook/hooks.yaml"), new Date(), new Date());
      await read();
      expect(await read()).not.toBe(await read());
    });
    await wait(SETTLED);
    expect(await read()).toBe(await read());
  });

  it("is read again when a file has changed, also to the same length with the same time", async () => {
    const { read, cwd } = await cachedProject();
    await wait(SETTLED);
    const before = await read();
    expect(await read()).toBe(before);
    const file = join(cwd, ".tenterhook/hooks.yaml");
    const { atime, mtime } = statSync(file);
    writeFileSync(file, readFileSync(file, "utf8").replace("one", "two"));
    utimesSync(file, atime, mtime);
    expect((await read()).trust.untrusted).not.toEqual(before.trust.untrusted);
  });

  it("is read again when the project is moved and a link left in its place", async () => {
    const { read, cwd } = await cachedProject();
    await wait(SETTLED);
    const before = await read();
    expect(await read()).toBe(before);
    renameSync(cwd, `${cwd}-moved`);
    symlinkSync(`${cwd}-moved`, cwd);
    expect(await read()).not.toBe(before);
  });

  it("is read again when a file appears that counts, or one that counted disappears", async () => {
    const { read, environment, cwd } = await cachedProject();
    await wait(SETTLED);
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
