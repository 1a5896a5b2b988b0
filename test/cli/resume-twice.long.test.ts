import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { mustBeBuilt } from "../repository/support/files.ts";
import { kill } from "../support/faults/kill.ts";
import { shareCompiledCode } from "../support/shared-code.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { CLI, runCli, userEnvironment } from "./support/run-cli.ts";

beforeAll(mustBeBuilt);

const bash = (command: string) => ({ tool_calls: [{ name: "Bash", input: { command } }] });

/** A run that is at work on its second step, and will be until it is killed. */
async function atWork() {
  const folder = temporaryFolder();
  const cwd = join(folder, "project");
  mkdirSync(join(cwd, ".git"), { recursive: true });
  const script = [bash("echo once >> ran.txt"), { text: "never", delay_ms: 600_000 }];
  writeFileSync(join(cwd, "slow.json"), JSON.stringify(script));
  // The steps that were played are those of another file, so that this one begins with its first.
  writeFileSync(join(cwd, "rest.json"), JSON.stringify([bash("echo rest >> ran.txt"), { text: "Done." }]));
  shareCompiledCode(join(folder, "cache"));
  const env = userEnvironment(folder, { NO_COLOR: "1" });
  const args = ["run", "Do it once.", "--model", "scripted:slow.json", "--mode", "bypass", "--json"];
  const child: ChildProcessByStdio<null, Readable, null> = spawn(process.execPath, [CLI, ...args], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(() => {
    kill(child);
  });
  for await (const line of createInterface({ input: child.stdout }))
    if (line.includes('"type":"message"') && line.includes("tool_result")) break;
  const { sessions } = JSON.parse((await runCli(cwd, env, "sessions", "--json")).stdout);
  const id = String(sessions[0].agent_id);
  const resume = (...more: readonly string[]) =>
    runCli(cwd, env, "sessions", "resume", id, "--model", "scripted:rest.json", "--mode", "bypass", ...more);
  const ran = () => readFileSync(join(cwd, "ran.txt"), "utf8").trim().split("\n");
  return { cwd, env, child, id, resume, ran };
}

it("a session that is being run is not resumed beside it, but can be forked; killed, it is free", async () => {
  const { cwd, env, child, id, resume, ran } = await atWork();
  const { code, stderr } = await resume();
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(
      new RegExp(
        `^Agent "${id}" is being run by process ${child.pid} on ${hostname()}, since 2.+Z\\.\\n` +
          `  Wait until it is done, or end that process; or work on a copy: tenterhook sessions fork ${id}, Agent\\.fork\\.\\n$`,
      ),
    ),
  ]);
  const forked = await runCli(
    cwd,
    env,
    "fork",
    id,
    "And now?",
    ...["--model", "scripted:rest.json", "--mode", "default"],
  );
  expect([forked.code, forked.stdout]).toEqual([0, expect.stringContaining("Done.")]);
  const killed = once(child, "exit");
  kill(child);
  await killed;
  expect(await resume()).toMatchObject({ code: 0, stdout: expect.stringContaining("Done.") });
  expect(ran()).toEqual(["once", "rest"]);
});

it("of processes that resume a killed session at once, exactly one does", async () => {
  const { child, resume, ran } = await atWork();
  const killed = once(child, "exit");
  kill(child);
  await killed;
  const results = await Promise.all([resume(), resume(), resume()]);
  expect(results.filter(({ code }) => code === 0)).toHaveLength(1);
  for (const { code, stderr } of results)
    if (code !== 0) expect(stderr).toMatch(/is being run by|was run by|was taken over|nothing to continue/);
  expect(ran()).toEqual(["once", "rest"]);
});
