import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, it } from "vitest";
import { mustBeBuilt } from "../repository/support/files.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { CLI, userEnvironment } from "./support/run-cli.ts";

describe("where nothing goes as usual, no stack trace is shown", () => {
  beforeAll(mustBeBuilt);

  const shell = async (script: string, cwd: string) => {
    const env = userEnvironment(cwd, { CLI, NODE: process.execPath });
    const child = spawn("/bin/sh", ["-c", script], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "close"),
    ]);
    return { code, stdout, stderr };
  };

  it("a command in a folder that was removed shows no stack trace", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "gone"));
    const script = 'cd gone && rmdir ../gone && "$NODE" "$CLI" list';
    expect(await shell(script, folder)).toEqual({
      code: 2,
      stdout: "",
      stderr: "The working folder no longer exists.\n  Run the command in an existing folder.\n",
    });
  });

  it("on a disk that is full", async ({ skip }) => {
    skip(!existsSync("/dev/full"), "This machine has no /dev/full.");
    const { code, stderr } = await shell('"$NODE" "$CLI" list > /dev/full', temporaryFolder());
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^The output can't be written: ENOSPC[^\n]*\n$/),
    ]);
  });
});
