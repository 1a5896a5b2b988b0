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

/** What a command prints, on a terminal of 40 columns or in a pipe. */
function printedBy(isTTY: boolean, ...calls: readonly (readonly string[])[]): string {
  let printed = "";
  const stream = { isTTY, columns: 40, write: (text: string) => (printed += text) };
  const screen = processScreen({ NO_COLOR: "1" }, { stdout: stream, stderr: stream, stdin: {} });
  for (const lines of calls) screen.print(...lines);
  return printed;
}

it("on a terminal, lines have a margin and break between words; a pipe gets them as they are", () => {
  const long = "No agent was seen. Agents report here when they are watched.";
  const calls = [[long], ["    title  text"], ["", "end"]];
  expect(printedBy(true, ...calls)).toBe(
    "  No agent was seen. Agents report here\n  when they are watched.\n      title  text\n\n  end\n",
  );
  expect(printedBy(false, ...calls)).toBe(`${long}\n    title  text\n\nend\n`);
  expect(printedBy(true, ["  ● waits", "    1  Blue"])).toBe("  ● waits\n    1  Blue\n");
});
