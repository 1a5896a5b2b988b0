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
import { findConfig } from "../../src/cli/hook/answer.ts";
import { rememberedEvents } from "../../src/config/cache/remembered-events.ts";
import { newProject, shellCall } from "../cli/support/project.ts";
import { eventually } from "../support/processes.ts";

const hook = (rules: string) => ({
  name: "guard",
  type: "inline",
  matcher: { events: ["PreToolUse"] },
  rules,
});

/** A project whose configuration is cached, with a reader that has read it once its files are old enough. */
async function cachedProject() {
  const project = newProject();
  const { cwd, environment } = project;
  const cache = async (): Promise<void> => {
    const payload = { session_id: "s1", cwd, tool_use_id: "t1", ...shellCall("true") };
    await findConfig(await readPayload(JSON.stringify(payload), environment));
  };
  await project.configure([hook('command contains "one" -> deny("No.")')]);
  await cache();
  const remembered = rememberedEvents();
  const read = () => remembered({ cwd, environment }, "PreToolUse");
  return { ...project, read, cache };
}

/** Stamps of younger files may survive a change. */
const SETTLED = 2300;

describe("what decides an event, in a process that decides many", () => {
  it("is read again while its files are young, and then once", async () => {
    const { read, cache, cwd } = await cachedProject();
    // They are old when this process has stood still.
    await eventually(async () => {
      const file = join(cwd, ".tenterhook/hooks.yaml");
      utimesSync(file, new Date(), new Date());
      await cache();
      const [first, second] = [read(), read()];
      expect(first).toBeDefined();
      expect(second).not.toBe(first);
    });
    await wait(SETTLED);
    const settled = read();
    expect(read()).toBe(settled);
  });

  it("is gone when a file has changed, also to the same length with the same time", async () => {
    const { read, cwd } = await cachedProject();
    await wait(SETTLED);
    expect(read()).toBe(read());
    const file = join(cwd, ".tenterhook/hooks.yaml");
    const { atime, mtime } = statSync(file);
    writeFileSync(file, readFileSync(file, "utf8").replace("one", "two"));
    utimesSync(file, atime, mtime);
    expect(read()).toBeUndefined();
  });

  it("is gone when the project is moved and a link left in its place", async () => {
    const { read, cwd } = await cachedProject();
    await wait(SETTLED);
    expect(read()).toBe(read());
    renameSync(cwd, `${cwd}-moved`);
    symlinkSync(`${cwd}-moved`, cwd);
    expect(read()).toBeUndefined();
  });

  it("is gone when a file appears that counts, or one that counted disappears", async () => {
    const { read, environment, cwd } = await cachedProject();
    await wait(SETTLED);
    expect(read()).toBe(read());
    const user = join(String(environment.XDG_CONFIG_HOME), "tenterhook");
    mkdirSync(user, { recursive: true });
    writeFileSync(
      join(user, "hooks.yaml"),
      stringify({ hooks: { definitions: [hook("tool exists -> deny()")] } }),
    );
    expect(read()).toBeUndefined();
    rmSync(user, { recursive: true });
    expect(read()).toBeDefined();
    rmSync(join(cwd, ".tenterhook"), { recursive: true });
    expect(read()).toBeUndefined();
  });
});
