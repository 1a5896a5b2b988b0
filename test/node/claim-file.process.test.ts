import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { claimedBy, claimFile, whileClaimed } from "../../src/node/files/claim-file.ts";
import { processMark, thisProcess } from "../../src/node/identity/process-identity.ts";
import { bundledProgram } from "../support/bundled-program.ts";
import { endAfterTest } from "../support/processes.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const emptyFile = (): string => join(temporaryFolder(), "claim");

/** The claim of a process that has ended. */
function abandoned(text = ""): string {
  const file = emptyFile();
  const { pid } = spawnSync("true");
  writeFileSync(file, `${JSON.stringify({ ...thisProcess(), pid })}\n${text}`);
  return file;
}

describe("a claim", () => {
  it("is held by one, also among those who try in the same process, and given back", () => {
    const file = emptyFile();
    expect(claimedBy(file)).toBeUndefined();
    const claim = claimFile(file);
    expect([typeof claim, claimFile(file)]).toEqual(["object", undefined]);
    expect(claimedBy(file)).toEqual({ holder: "alive", time: expect.any(Number) });
    claim?.release();
    expect([existsSync(file), typeof claimFile(file)]).toEqual([false, "object"]);
  });

  it("is never seen without the process that has it", async () => {
    const file = emptyFile();
    const program = bundledProgram(new URL("support/claimer.ts", import.meta.url));
    const child = spawn(process.execPath, [program, file], { stdio: "inherit" });
    let seen = 0;
    for (let ended = false; !ended; ended = child.exitCode !== null) {
      for (let at = 0; at < 500; at += 1) {
        try {
          if (readFileSync(file, "utf8") === "") throw new TypeError("The claim is empty.");
          seen += 1;
        } catch (error) {
          if (error instanceof TypeError) throw error;
        }
      }
      await new Promise(setImmediate);
    }
    expect(seen).toBeGreaterThan(0);
  });

  it("of a process that has ended is taken over once, and leaves nothing beside it", () => {
    const file = abandoned();
    expect(claimedBy(file)?.holder).toBe("gone");
    const claim = claimFile(file);
    expect([typeof claim, claimFile(file), claimedBy(file)?.holder]).toEqual(["object", undefined, "alive"]);
    expect(readdirSync(join(file, ".."))).toEqual(["claim"]);
    claim?.release();
    expect(existsSync(file)).toBe(false);
  });

  it("of a process that has ended is taken over although another process has its id", async () => {
    const file = emptyFile();
    const child = spawn("sleep", ["300"], { stdio: "ignore" });
    endAfterTest(child);
    await once(child, "spawn");
    const mark = processMark(child.pid ?? Number.NaN);
    writeFileSync(file, `${JSON.stringify(mark)}\n`);
    expect(claimFile(file)).toBeUndefined();
    writeFileSync(file, `${JSON.stringify({ ...mark, started: "1" })}\n`);
    expect(claimFile(file)).toBeDefined();
  });

  it("of another machine, and one that its process could not finish, count for a minute", () => {
    for (const text of [`${JSON.stringify({ pid: 1, host: "elsewhere", machine: "elsewhere" })}\n`, ""]) {
      const file = emptyFile();
      writeFileSync(file, text);
      expect(claimFile(file)).toBeUndefined();
      const before = Date.now() / 1000 - 61;
      utimesSync(file, before, before);
      expect(claimFile(file)).toBeDefined();
    }
  });

  it("with a text stays when its process has ended, until somebody finds that the text no longer counts", () => {
    const file = abandoned("done");
    expect(claimedBy(file)).toMatchObject({ holder: "gone", text: "done" });
    expect([claimFile(file), claimFile(file, ({ text }) => text === "other")]).toEqual([
      undefined,
      undefined,
    ]);
    const claim = claimFile(file, ({ text }) => text === "done");
    expect(claimedBy(file)).toEqual({ holder: "alive", time: expect.any(Number) });
    claim?.write("two\nlines");
    expect(claimedBy(file)).toMatchObject({ holder: "alive", text: "two\nlines" });
    expect([claimFile(file), readdirSync(join(file, ".."))]).toEqual([undefined, ["claim"]]);
  });

  it("is waited for, and the wait can be ended", async () => {
    const file = emptyFile();
    const claim = claimFile(file);
    const cancel = new AbortController();
    const waiting = whileClaimed(file, () => "never", cancel.signal);
    cancel.abort();
    await expect(waiting).rejects.toThrow("aborted");
    const next = whileClaimed(file, () => "done");
    claim?.release();
    expect(await next).toBe("done");
  });
});
