import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import { filesBelow, ROOT, read } from "./support/files.ts";
import { importsOf } from "./support/imports.ts";
import { tokens } from "./support/tokens.ts";

/** What kills, stops, cuts off and floods. */
const FAULTS = "test/support/faults/";

const tests = filesBelow("test", /\.test\.ts$/);
const isLong = (file: string): boolean => file.endsWith(".long.test.ts");

const imports = new Map<string, readonly string[]>();

/** The files of test/ that a file imports itself. */
function importsIn(file: string): readonly string[] {
  const known = imports.get(file);
  if (known !== undefined) return known;
  const found = importsOf(read(file))
    .map(({ from }) => posix.join(posix.dirname(file), from))
    .filter((target) => /^test\/.*\.ts$/.test(target) && existsSync(join(ROOT, target)));
  imports.set(file, found);
  return found;
}

/** The same with those that it imports through others of them. */
function importedBy(file: string): ReadonlySet<string> {
  const found = new Set(importsIn(file));
  for (const one of found) for (const other of importsIn(one)) found.add(other);
  return found;
}

/** The lines of a source that kill or stop another process themselves. */
function killsIn(source: string): readonly number[] {
  const code = tokens(source).filter(({ kind }) => kind !== "comment");
  return code.flatMap(({ text, line }, at) => {
    if (text !== "kill" || code[at + 1]?.text !== "(") return [];
    let open = 0;
    const end = code.findIndex(({ kind, text: sign }, index) => {
      if (index <= at || kind !== "sign") return false;
      if (sign === "(") open += 1;
      if (sign === ")") open -= 1;
      return open === 0;
    });
    const given = code.slice(at, end).filter(({ kind }) => kind === "string");
    return given.some(({ text: signal }) => /^SIG(KILL|STOP)$/.test(signal)) ? [line] : [];
  });
}

describe("the name of a test file", () => {
  it("has one of three endings", () => {
    const others = tests.filter((file) => !/^[^.]+(\.process|\.long)?\.test\.ts$/.test(posix.basename(file)));
    expect(others).toEqual([]);
  });

  it("says that it is long where others' programs and a newer Node are needed", () => {
    const others = tests.filter((file) => /^test\/(clients|newer-node)\//.test(file) && !isLong(file));
    expect(others).toEqual([]);
  });

  it("says that it is long when it kills, stops, cuts off or floods", () => {
    const wrong = tests.filter(
      (file) => !isLong(file) && [...importedBy(file)].some((other) => other.startsWith(FAULTS)),
    );
    expect(wrong).toEqual([]);
  });
});

describe("a test that is not long", () => {
  it("kills and stops no process itself: endAfterTest cleans up, and test/support/faults is for the others", () => {
    const wrong = filesBelow("test", /\.ts$/)
      .filter(
        (file) => !isLong(file) && !file.startsWith("test/support/") && !file.startsWith("test/clients/"),
      )
      .flatMap((file) => killsIn(read(file)).map((line) => `${file}:${line}`));
    expect(wrong).toEqual([]);
  });

  it.each([
    ['child.kill("SIGKILL");', [1]],
    ['process.kill(Number(pid), "SIGKILL");', [1]],
    ['\nprocess.kill(\n  pid,\n  "SIGSTOP",\n);', [2]],
    ['child.kill("SIGTERM"); // kill("SIGKILL")', []],
    ["const text = 'kill(\"SIGKILL\")';", []],
  ])("is found where it does: %j", (source, lines) => {
    expect(killsIn(source)).toEqual(lines);
  });
});

it("an import of a fault is found through other files", () => {
  expect([...importedBy("test/support/faults/cut-network.ts")]).toEqual([]);
  expect(importedBy("test/fleet/fleet-kill.long.test.ts")).toContain("test/support/faults/cut-network.ts");
});
