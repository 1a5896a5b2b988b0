import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { processScreen } from "../../src/cli/command-line/screen/screen.ts";

// What a command returns is its exit code, and many end with what they print.
it("printing returns nothing, so that a command can end with it", () => {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const screen = processScreen({}, { stdout, stderr, stdin: {} });
  const returned: readonly unknown[] = [
    screen.print("a"),
    screen.tell("b"),
    screen.write("c\n"),
    screen.jsonLine(1),
    screen.json(2),
  ];
  expect(returned).toEqual([undefined, undefined, undefined, undefined, undefined]);
  expect([stdout.read().toString(), stderr.read().toString()]).toEqual(["a\nc\n1\n2\n", "b\n"]);
});
