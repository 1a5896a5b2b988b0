import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { rulesHook } from "../support/hook-definitions.ts";
import { runs } from "../support/long.ts";
import { shellCall } from "./support/project.ts";
import { CLI } from "./support/run-cli.ts";
import { daemonPid, servedProject, start } from "./support/served-project.ts";

const KILLS = runs(8);
const NO_PUSH = rulesHook("no-push", 'command contains "git push" -> deny("Not from here.")');

it("a daemon that is killed at random moments loses no call, opens no gate, and no call counts twice", {
  timeout: 120_000 + KILLS * 10_000,
}, async () => {
  const project = await servedProject([NO_PUSH]);
  let kills = 0;
  let calls = 0;
  const work = async (): Promise<void> => {
    while (kills < KILLS) {
      calls += 1;
      const payload = { ...shellCall(`git push ${calls}`), tool_use_id: `t${calls}` };
      const { stdout, code } = await start(project, payload, CLI).result;
      expect([code, stdout]).toEqual([0, expect.stringContaining("Not from here.")]);
    }
  };
  const kill = async (): Promise<void> => {
    while (kills < KILLS) {
      await wait(Math.random() * 400);
      try {
        process.kill(daemonPid(project), "SIGKILL");
        kills += 1;
      } catch {
        // The next call starts one.
      }
    }
  };
  await Promise.all([kill(), work(), work()]);
  const records = project.journal().flatMap(({ event_id, event }) => {
    const { tool_input } = Object(event);
    return tool_input === undefined ? [] : [[event_id, String(tool_input.command)] as const];
  });
  // A call that was decided again has the same id, by which readers count it once.
  const commands = [...new Map(records).values()];
  expect(commands.sort()).toEqual(Array.from({ length: calls }, (_, at) => `git push ${at + 1}`).sort());
});
