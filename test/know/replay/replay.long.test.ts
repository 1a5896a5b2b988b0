import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { CLI } from "../../cli/support/run-cli.ts";
import { needs } from "../../support/needs.ts";
import { claudeSession, PUSH, projectWith } from "./support.ts";

const TERMINAL = fileURLToPath(new URL("../../cli/support/in-terminal.py", import.meta.url));

/** Has the process stand still when it was interrupted, longer than a command has to end. */
const STALL = `process.once("SIGINT", () =>
  setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3200)));\n`;

it("Ctrl-C ends a replay with what was found so far, also when the machine stands still then", async () => {
  needs("python3");
  const project = projectWith();
  project.environment.NODE_OPTIONS = `--require ${project.write("stall.cjs", STALL)}`;
  const many = Array.from(
    { length: 40_000 },
    (_, at) => ["Bash", { command: `git push --force origin b${at}` }] as const,
  );
  const file = project.write("session.jsonl", claudeSession(many));
  const typed = JSON.stringify([["/s", "\u0003"]]);
  const child = spawn("python3", [TERMINAL, typed, process.execPath, CLI, "replay", file], {
    cwd: project.cwd,
    env: { ...project.environment, TERM: "xterm", NO_COLOR: "1" },
  });
  child.stdin.end();
  const [shown] = await Promise.all([text(child.stdout), once(child, "close")]);
  expect(shown).toMatch(/[█░]+.* calls {2}[\d,]+\/s/);
  expect(shown).toContain("Ended before all was read: this is what was found so far.");
  const [, denied = ""] = /Would deny\s+([\d,]+)/.exec(shown) ?? [];
  expect(Number(denied.replaceAll(",", ""))).toBeGreaterThan(0);
  expect(Number(denied.replaceAll(",", ""))).toBeLessThan(40_000);
});

it("a file that is larger than the memory it may use is read to its end, with a line that is no line at all", async () => {
  const project = projectWith();
  const file = project.write("session.jsonl", claudeSession([PUSH]));
  const result = `${JSON.stringify({ type: "user", toolUseResult: "x".repeat(20_000), sessionId: "s1", parentUuid: "" })}\n`;
  for (let part = 0; part < 15; part += 1) appendFileSync(file, result.repeat(500));
  for (let part = 0; part < 7; part += 1) appendFileSync(file, "x".repeat(10_000_000));
  appendFileSync(file, `\n${claudeSession([PUSH])}`);
  project.environment.NODE_OPTIONS = "--max-old-space-size=160";
  const { code, stdout, stderr } = await project.start(["replay", "--json", file]);
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(":7502: it is longer than 64 MB"),
  });
  expect(JSON.parse(stdout)).toMatchObject({ events: 2, unreadable: 1, would: { deny: 2 } });
});
