import { posix } from "node:path";
import { expect, test } from "vitest";
import { filesBelow, read } from "./support/files.ts";
import { importsOf } from "./support/imports.ts";

const DECIDE = "src/hook/decide.ts";
/** The one that decides in a process of its own, and the one that decides in the daemon. */
const HOSTS = ["src/hook/daemon/serve.ts", "src/hook/process/run-hook.ts"];

const SOURCES: ReadonlyMap<string, string> = new Map(
  filesBelow("src", /\.tsx?$/).map((file) => [file, read(file)]),
);

/** The sources that can call what decides. */
function deciders(sources: ReadonlyMap<string, string>): readonly string[] {
  return [...sources]
    .filter(
      ([file, source]) =>
        // Of most files this is known without reading their imports.
        source.includes(posix.basename(DECIDE)) &&
        importsOf(source).some(({ from }) => posix.join(posix.dirname(file), from) === DECIDE),
    )
    .map(([file]) => file)
    .sort();
}

test("calls of agents are decided by one function, in two places", () => {
  expect(deciders(SOURCES)).toEqual(HOSTS);
});

test.each(['import { decide } from "./decide.ts";', 'const { decide } = await import("./decide.ts");'])(
  "a third place is found: %s",
  (planted) => {
    expect(deciders(new Map([["src/hook/third.ts", planted]]))).toEqual(["src/hook/third.ts"]);
  },
);
