import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { appendLines } from "../../src/node/files/append.ts";
import { tryLock, withLock } from "../../src/node/files/lock.ts";
import { replaceFile } from "../../src/node/files/replace-file.ts";
import { bundledProgram } from "../support/bundled-program.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

describe("writing a whole file", () => {
  it("makes it for this user alone, keeps the permissions of one that is there, and leaves nothing beside it", () => {
    const folder = temporaryFolder();
    const file = join(folder, "a.txt");
    replaceFile(file, "one");
    const fresh = statSync(file).mode & 0o777;
    chmodSync(file, 0o644);
    replaceFile(file, "two");
    expect([fresh, statSync(file).mode & 0o777, readFileSync(file, "utf8"), readdirSync(folder)]).toEqual([
      0o600,
      0o644,
      "two",
      ["a.txt"],
    ]);
  });

  it("follows a link and leaves it a link", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "real.txt"), "old");
    symlinkSync("real.txt", join(folder, "link.txt"));
    replaceFile(join(folder, "link.txt"), "new");
    expect([
      lstatSync(join(folder, "link.txt")).isSymbolicLink(),
      readFileSync(join(folder, "real.txt"), "utf8"),
    ]).toEqual([true, "new"]);
  });

  it("leaves the old content and no other file when it fails", () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "a"));
    writeFileSync(join(folder, "a", "inside"), "");
    expect(() => replaceFile(join(folder, "a"), "new")).toThrow();
    expect(readdirSync(folder)).toEqual(["a"]);
  });
});

describe("appending lines", () => {
  it("closes a line that was cut off before it writes", () => {
    const file = join(temporaryFolder(), "a.jsonl");
    expect(appendLines(file, ["1", "2"])).toBe(0);
    writeFileSync(file, "1\n2\nhal");
    expect(appendLines(file, ["3"])).toBe(7);
    expect(readFileSync(file, "utf8")).toBe("1\n2\nhal\n3\n");
  });

  it("writes through no link and to nothing but a plain file", () => {
    const folder = temporaryFolder();
    const target = join(folder, "target");
    writeFileSync(target, "");
    symlinkSync(target, join(folder, "link"));
    expect(() => appendLines(join(folder, "link"), ["x"])).toThrow("ELOOP");
    expect(() => appendLines("/dev/null", ["x"])).toThrow("not a plain file");
    expect(readFileSync(target, "utf8")).toBe("");
  });
});

describe("a lock", () => {
  it("is held by one, and given back", () => {
    const file = join(temporaryFolder(), "lock");
    const release = tryLock(file);
    expect([typeof release, tryLock(file)]).toEqual(["function", undefined]);
    release?.();
    expect(existsSync(file)).toBe(false);
  });

  it("of a process that has ended is taken over, one of another machine is not", async () => {
    const file = join(temporaryFolder(), "lock");
    const child = spawn(process.execPath, ["-e", ""]);
    await once(child, "exit");
    writeFileSync(file, `${child.pid} ${hostname()} abc`);
    const release = tryLock(file);
    expect(typeof release).toBe("function");
    release?.();
    writeFileSync(file, "1 another-machine abc");
    expect(tryLock(file)).toBeUndefined();
  });

  it("is waited for, and the wait can be ended", async () => {
    const file = join(temporaryFolder(), "lock");
    const release = tryLock(file);
    const cancel = new AbortController();
    const waiting = withLock(file, () => "never", cancel.signal);
    cancel.abort();
    await expect(waiting).rejects.toThrow("aborted");
    const next = withLock(file, () => "done");
    release?.();
    expect(await next).toBe("done");
  });

  it("keeps processes apart", async () => {
    const program = await bundledProgram(new URL("support/counter.ts", import.meta.url));
    const file = join(temporaryFolder(), "number");
    writeFileSync(file, "0");
    const codes = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const [code] = await once(
          spawn(process.execPath, [program, file, "25"], { stdio: "inherit" }),
          "exit",
        );
        return code;
      }),
    );
    expect([codes, readFileSync(file, "utf8")]).toEqual([[0, 0, 0, 0], "100"]);
  }, 60_000);
});
