import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, expect, test } from "vitest";
import { mustBeBuilt } from "../repository/support/files.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { CLI, userEnvironment } from "./support/run-cli.ts";

beforeAll(mustBeBuilt);

test("whoever stops reading gets no error", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "home"));
  const child = spawn(process.execPath, [CLI, "--help"], {
    cwd: folder,
    env: userEnvironment(folder),
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.destroy();
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  expect([code, stderr]).toEqual([0, ""]);
});

test("Ctrl-C ends a command with 130", async () => {
  const folder = temporaryFolder();
  const child = spawn(process.execPath, [CLI, "explain", "-"], {
    cwd: folder,
    env: userEnvironment(folder),
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.on("error", () => {});
  // Everything it waits for from here on is its stdin.
  child.stdin.write("{");
  const ended = once(child, "close");
  const again = setInterval(() => child.kill("SIGINT"), 500);
  const [code] = await ended;
  clearInterval(again);
  expect(code === 130 || child.signalCode === "SIGINT").toBe(true);
});
