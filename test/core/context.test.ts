import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { context, createHooks } from "tenterhook";
import { createHooks as createPlainHooks } from "tenterhook/core";
import { describe, expect, it } from "vitest";
import { fileSpill } from "../../src/node/ports.ts";
import { bashCall } from "../support/events.ts";

describe("long context", () => {
  it("of 10 MB goes to a file only this user can read and leaves a preview with its path", async () => {
    const hooks = createHooks();
    const text = `START${"x".repeat(10_000_000)}END`;
    hooks.on("PreToolUse", { name: "big/hook" }, () => context(text));
    const [item] = (await hooks.fire(bashCall())).context;
    const path = item?.shortened?.path ?? "";
    expect(item?.shortened).toEqual({ characters: 10_000_008, path: expect.stringContaining("big_hook") });
    expect(item?.text.length).toBeLessThanOrEqual(10_000);
    expect(item?.text.startsWith("STARTxxx")).toBe(true);
    expect(item?.text.endsWith("xxxEND")).toBe(true);
    expect(item?.text).toContain(`[… 10000008 characters in all; the whole text is in ${path} …]`);
    expect(readFileSync(path, "utf8")).toBe(text);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("is counted in characters, so ten thousand emoji fit", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", () => context("🙂".repeat(10_000)));
    expect((await hooks.fire(bashCall())).context[0]?.shortened).toBeUndefined();
    hooks.on("PreToolUse", () => context("🙂".repeat(10_001)));
    expect((await hooks.fire(bashCall())).context[1]?.shortened?.characters).toBe(10_001);
  });

  it("long context that can't be stored says so", async () => {
    const hooks = createPlainHooks({ limits: { context_characters: 400 } });
    hooks.on("PreToolUse", () => context("y".repeat(500)));
    const [item] = (await hooks.fire(bashCall())).context;
    expect(item?.shortened).toEqual({ characters: 500 });
    expect(item?.text).toContain("[… 500 characters in all; the rest could not be stored …]");
  });
});

describe("the files of long context", () => {
  const from = { hook: "h", event_id: "e" };

  it("files of long context never overwrite each other", () => {
    const folder = mkdtempSync(join(tmpdir(), "tenterhook-spill-"));
    const spill = fileSpill(() => folder);
    const paths = [spill("one", from), spill("two", from)];
    expect(paths.map((path) => readFileSync(path ?? "", "utf8"))).toEqual(["one", "two"]);
    rmSync(folder, { recursive: true });
  });

  it("files of long context are removed after a week", () => {
    const folder = mkdtempSync(join(tmpdir(), "tenterhook-spill-"));
    const old = join(folder, "old.txt");
    writeFileSync(old, "old");
    const monthAgo = Date.now() / 1000 - 30 * 86_400;
    utimesSync(old, monthAgo, monthAgo);
    fileSpill(() => folder)("new", from);
    expect(() => statSync(old)).toThrow("ENOENT");
    rmSync(folder, { recursive: true });
  });

  it("are left out where nothing can be written", () => {
    const folder = mkdtempSync(join(tmpdir(), "tenterhook-spill-"));
    const file = join(folder, "a-file");
    writeFileSync(file, "");
    for (const place of [join(file, "below"), "/proc/none/below"])
      expect(fileSpill(() => place)("text", from)).toBeUndefined();
    rmSync(folder, { recursive: true });
  });
});
