import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { mustBeBuilt } from "../repository/support/files.ts";
import { eventually, processesWith } from "../support/processes.ts";
import { LONG, running } from "./support/run-task.ts";

beforeAll(mustBeBuilt);

test("Ctrl-C does not wait for a hook that takes too long to hear of it", async () => {
  const { child, items, mark, closed } = await running((hooks) => hooks.replace("enabled: false", ""));
  child.kill("SIGINT");
  expect(await closed).toEqual([130, null]);
  expect(items.find(({ type, hook }) => type === "hook_end" && hook === "slow-goodbye")).toMatchObject({
    run: { failure: { kind: "cancelled" } },
  });
  expect(items.at(-1)).toMatchObject({ type: "done", result: { stop_reason: "cancelled" } });
  await eventually(() => expect(processesWith(mark)).toEqual([]));
});

test("a process that is asked to end does so in order", async () => {
  const { child, cwd, mark, closed } = await running();
  child.kill("SIGTERM");
  expect(await closed).toEqual([143, null]);
  expect(existsSync(join(cwd, "ended.json"))).toBe(true);
  await eventually(() => expect(processesWith(mark)).toEqual([]));
});

test("a run that nobody reads any more ends in order, and not as if it had been done", async () => {
  const talks = LONG.replace("sleep 600 & sleep 600", "while sleep 0.1; do echo more; done");
  const { child, cwd, mark, closed } = await running((hooks) => hooks, talks);
  child.stdout.destroy();
  expect(await closed).toEqual([141, null]);
  expect(existsSync(join(cwd, "ended.json"))).toBe(true);
  await eventually(() => expect(processesWith(mark)).toEqual([]));
});

test("a second Ctrl-C ends the process at once", async () => {
  const { child, items, cwd, mark, closed } = await running((hooks) =>
    hooks.replace("sleep 0.3", "sleep 600"),
  );
  child.kill("SIGINT");
  await eventually(() =>
    expect(items.map(({ type, hook_event_name }) => `${type} ${hook_event_name}`)).toContain(
      "hook_begin SessionEnd",
    ),
  );
  child.kill("SIGINT");
  expect(await closed).toEqual([130, null]);
  expect(items.at(-1)?.type).not.toBe("done");
  expect(existsSync(join(cwd, "ended.json")) && readFileSync(join(cwd, "ended.json"), "utf8")).toBeFalsy();
  await eventually(() => expect(processesWith(mark)).toEqual([]));
});
