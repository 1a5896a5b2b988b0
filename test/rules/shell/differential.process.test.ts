import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { analyseShell, loadShellParser } from "../../../src/rules/shell/analyse.ts";
import { runs } from "../../support/long.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { generatedLine } from "./generated-lines.ts";
import { type Call, stubbedShell } from "./stubs.ts";

beforeAll(loadShellParser);

/** The calls that the analysis has neither listed nor called unknown. */
function unseen(line: string, calls: readonly Call[]): readonly string[] {
  const { commands, dynamic } = analyseShell(line);
  if (dynamic) return [];
  return calls
    .filter(
      ([name, ...args]) =>
        !commands.some((command) => {
          if (command.name !== name) return false;
          // What is written as a pattern or variable is known only when it runs.
          return /[*$`]|<\(/.test(command.text) || isSaid(command.text, args);
        }),
    )
    .map((call) => call.join(" "));
}

/** Each argument is in the text of the command, in this order. */
function isSaid(text: string, args: readonly string[]): boolean {
  let at = 0;
  return args.every((arg) => {
    const found = text.indexOf(arg, at);
    at = found + arg.length;
    return found !== -1;
  });
}

describe("lines that really run", () => {
  it("start no program that the analysis has not seen", () => {
    const run = stubbedShell(temporaryFolder());
    let called = 0;
    fc.assert(
      fc.property(generatedLine, (line) => {
        const calls = run(line);
        called += calls.length;
        expect(unseen(line, calls), line).toEqual([]);
      }),
      { seed: 22, numRuns: runs(60) },
    );
    // The stubs were really called.
    expect(called).toBeGreaterThan(60);
  });
});
