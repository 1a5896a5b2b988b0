import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { ACTION_ENDED } from "../../../src/monitor/report/actions.ts";
import { allSpooled } from "../../../src/monitor/report/spool.ts";
import { CLI } from "../../cli/support/run-cli.ts";
import { kill } from "../../support/faults/kill.ts";
import { runs } from "../../support/long.ts";
import { endAfterTest, eventually, processesNamed, processesWith } from "../../support/processes.ts";
import { watched } from "../support/watched-agents.ts";

/** A daemon in a process of its own, which the test kills. */
function killableDaemon({ environment }: Pick<ReturnType<typeof watched>, "environment">) {
  const child = spawn(process.execPath, [CLI, "daemon", "start", "--foreground"], {
    env: environment,
    stdio: "ignore",
  });
  endAfterTest(child);
  return {
    async kill(): Promise<void> {
      const exit = once(child, "exit");
      kill(child);
      await exit;
    },
  };
}

const RESUMED = runs(3);

it("kill -9 of the daemon resumes a dead agent as often as it may be, and never once more", {
  timeout: 240_000 + RESUMED * 10_000,
}, async () => {
  const names = Array.from({ length: RESUMED }, (_, at) => `worker-${String(at).padStart(2, "0")}`);
  const monitor = watched({ on_dead: { action: "resume", attempts: 2, cooldown: "1s" } });
  const resumed = () => [...monitor.notes().matchAll(/^claude -p --resume (\S+)$/gm)].map(([, name]) => name);
  const claims = join(monitor.folder, "state/tenterhook/monitor/actions");
  const claimed = () =>
    existsSync(claims) ? readdirSync(claims).filter((name) => !name.startsWith(".")) : [];
  for (const [at, name] of names.entries()) {
    const running = killableDaemon(monitor);
    const before = claimed().length;
    monitor.report("agent:gone", { agent_id: name, session_id: name });
    await eventually(async () => expect(await monitor.client.info()).toBeDefined());
    // Killed at any moment, when a process has claimed an attempt, and when the agent has been started.
    if (at % 3 === 0) await sleep(Math.random() * 2000);
    if (at % 3 === 1) await eventually(() => expect(claimed().length).toBeGreaterThan(before));
    if (at % 3 === 2) await eventually(() => expect(resumed()).toContain(name));
    await running.kill();
  }
  killableDaemon(monitor);
  // Its stand-in ends at once, so each is gone again until a human is asked.
  await eventually(async () => {
    const asked = await monitor.client.decisions("open");
    expect(asked.map(({ agent_id, source }) => [agent_id, source]).toSorted()).toEqual(
      names.map((name) => [name, "dead"]),
    );
  }, 120_000);
  await eventually(() => expect(resumed().toSorted()).toEqual(names.flatMap((name) => [name, name])));
});

const KILLS = runs(4);

it("kill -9 of the daemon loses no action, and does none twice", {
  timeout: 240_000 + KILLS * 10_000,
}, async () => {
  const run =
    'while [ ! -e "$TENTERHOOK_TEST_NOTES.go" ]; do sleep 0.05; done; echo "$TENTERHOOK_AGENT_ID" >> "$TENTERHOOK_TEST_NOTES"';
  const monitor = watched({ on_dead: { action: "check", run, timeout: "10m" } });
  const go = `${monitor.environment.TENTERHOOK_TEST_NOTES}.go`;
  onTestFinished(() => writeFileSync(go, ""));
  const claims = join(monitor.folder, "state/tenterhook/monitor/actions");
  const claimed = () =>
    existsSync(claims) ? readdirSync(claims).filter((name) => !name.startsWith(".")).length : 0;
  const ended = () => allSpooled(monitor.environment).filter(({ type }) => type === ACTION_ENDED).length;
  const names = Array.from({ length: KILLS }, (_, at) => `worker-${String(at).padStart(2, "0")}`);
  for (const [at, name] of names.entries()) {
    const running = killableDaemon(monitor);
    rmSync(go, { force: true });
    monitor.report("agent:gone", { agent_id: name, session_id: name });
    await eventually(async () => expect(await monitor.client.info()).toBeDefined());
    // Killed at any moment, when it begins to act, while a process acts for it, and when that has reported.
    if (at % 4 === 0) await sleep(Math.random() * 1000);
    if (at % 4 > 1) await eventually(() => expect(claimed()).toBe(at + 1));
    if (at % 4 === 2) expect(ended()).toBeLessThan(claimed());
    if (at % 4 === 3) {
      writeFileSync(go, "");
      await eventually(() => expect(ended()).toBe(at + 1));
    }
    await running.kill();
  }
  writeFileSync(go, "");
  killableDaemon(monitor);
  await eventually(async () => {
    const agents = await monitor.client.agents();
    expect(agents.map(({ outcome, pending }) => [outcome, pending])).toEqual(
      names.map(() => ["done", undefined]),
    );
  });
  // One that acts a second time would still be running.
  await eventually(() => {
    const acting = processesNamed("carry-out");
    expect(processesWith(monitor.folder).filter((pid) => acting.includes(pid))).toEqual([]);
  });
  expect(monitor.notes().trim().split("\n").toSorted()).toEqual(names);
});
