import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { readPayload } from "../../src/adapters/read-payload.ts";
import { keptConfigs } from "../../src/hook/daemon/kept-config.ts";
import { newProject, shellCall } from "./support/project.ts";

const GUARD = {
  name: "no-push",
  type: "inline",
  matcher: { events: ["PreToolUse"] },
  rules: 'command runs "git push" -> deny("Not from here.")',
};

const PUSH = shellCall("git push");

async function guarded() {
  const project = newProject({ decidesHere: true });
  await project.configure([GUARD]);
  const isRefused = async () => (await project.hook(PUSH)).stdout.includes("Not from here.");
  return { ...project, isRefused };
}

/** Lets the clock of this process go on. */
function hoursLater(hours: number): void {
  vi.spyOn(Date, "now").mockReturnValue(Date.now() + hours * 3_600_000);
}

it("a hook that is off for a while is on again after it", async () => {
  const { run, isRefused, cwd } = await guarded();
  expect(await isRefused()).toBe(true);
  expect((await run(["off", "no-push", "--for", "1h"])).stdout).toMatch(
    /^no-push is off until (\w{3} [\d-]+ )?\d\d:\d\d: /,
  );
  expect(readFileSync(join(cwd, ".tenterhook/hooks.local.yaml"), "utf8")).toMatch(
    /no-push until \d{4}-\d\d-\d\dT[\d:]+Z/,
  );
  expect((await run(["list"])).stdout).toMatch(/no-push +PreToolUse +off until (\w{3} [\d-]+ )?\d\d:\d\d /);
  expect(await isRefused()).toBe(false);
  hoursLater(0.9);
  expect(await isRefused()).toBe(false);
  hoursLater(0.2);
  expect(await isRefused()).toBe(true);
});

it("it can be switched on before, and off again once its time has come", async () => {
  const { run, isRefused } = await guarded();
  await run(["off", "no-push", "--for", "1h"]);
  expect((await run(["on", "no-push"])).stdout).toContain("no-push is on: ");
  expect(await isRefused()).toBe(true);
  await run(["off", "no-push", "--for", "1h"]);
  hoursLater(2);
  expect(await run(["off", "no-push"])).toMatchObject({
    stderr: "",
    stdout: expect.stringContaining("no-push is off: "),
  });
  hoursLater(9);
  expect(await isRefused()).toBe(false);
});

it("everything is off only for a while, and on again at once with on", async () => {
  const { run, isRefused, folder } = await guarded();
  expect(await run(["off"])).toMatchObject({ code: 2, stderr: expect.stringContaining("off --for 30m") });
  expect((await run(["off", "--for", "30m"])).stdout).toContain("All hooks are off until ");
  expect(await isRefused()).toBe(false);
  expect((await run(["on"])).stdout).toContain("All hooks are on again.");
  expect(await isRefused()).toBe(true);
  await run(["off", "--for", "30m"]);
  hoursLater(1);
  expect(await isRefused()).toBe(true);
  expect(readFileSync(join(folder, "config/tenterhook/hooks.yaml"), "utf8")).toContain("* until ");
});

it("its time comes while the file can't be read, too", async () => {
  const { run, isRefused, write, cwd } = await guarded();
  await run(["off", "no-push", "--for", "1h"]);
  expect(await isRefused()).toBe(false);
  const file = ".tenterhook/hooks.local.yaml";
  write(file, `${readFileSync(join(cwd, file), "utf8")}\nhooks: [`);
  hoursLater(2);
  expect(await isRefused()).toBe(true);
});

it("an agent's settings keep what it needs again", async () => {
  const { run, cwd } = await guarded();
  await run(["install", "claude"]);
  const settings = () => readFileSync(join(cwd, ".claude/settings.json"), "utf8");
  const before = settings();
  await run(["off", "--for", "30m"]);
  await run(["install", "--sync"]);
  expect(settings()).toBe(before);
});

it("off for good takes the place of off for a while", async () => {
  const { run, isRefused } = await guarded();
  await run(["off", "no-push", "--for", "1h"]);
  expect((await run(["off", "no-push"])).stdout).toContain("no-push is off: ");
  hoursLater(2);
  expect(await isRefused()).toBe(false);
});

it("everything is off in the user's own file alone", async () => {
  const { run } = await guarded();
  expect(await run(["off", "--for", "30m", "--project"])).toMatchObject({ code: 2 });
});

it("a daemon that has kept the configuration notices that the time has come", async () => {
  const { run, readConfig, cwd, environment } = await guarded();
  await run(["off", "no-push", "--for", "1h"]);
  const payload = { session_id: "s1", cwd, tool_use_id: "t1", ...PUSH };
  await readConfig(payload);
  const findConfig = keptConfigs();
  const native = await readPayload(JSON.stringify(payload), environment, cwd);
  const hooksOf = async () => {
    const { config } = await findConfig(native, "PreToolUse");
    return config.hooks.map(({ hook }) => hook.name);
  };
  expect(await hooksOf()).not.toContain("no-push");
  hoursLater(2);
  await readConfig(payload);
  expect(await hooksOf()).toContain("no-push");
});

it.each([
  ["no-push until tomorrow", '"tomorrow" is no time'],
  ["*", "Everything can be off only for a while"],
])("%s under hooks.disabled is an error at its line", async (entry, message) => {
  const { run, write } = await guarded();
  write(".tenterhook/hooks.local.yaml", `hooks:\n  disabled:\n    - ${JSON.stringify(entry)}\n`);
  const { stdout, code } = await run(["check", ".tenterhook/hooks.local.yaml"]);
  expect([code, stdout]).toEqual([1, expect.stringContaining(message)]);
  expect(stdout).toContain("hooks.local.yaml:3:");
});
