import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { expect, it } from "vitest";
import { codeFrame } from "../../src/cli/command-line/screen/code-frame.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const MESSAGE = 'Bash has no field "args.comand". Did you mean "args.command"?';

function frameOf(text: string, place: { line: number; column: number }, width = 78) {
  const file = join(temporaryFolder(), "hooks.yaml");
  writeFileSync(file, text);
  const frame = codeFrame({ file, ...place }, MESSAGE, width);
  return frame && stripVTControlCharacters(frame.join("\n")).split("\n");
}

it("a mistake is shown in its line, with a mark below and the line before", () => {
  const text = 'rules: |\n  args.comand runs "rm -rf" -> deny("No.")\n';
  expect(frameOf(text, { line: 2, column: 3 })).toEqual([
    "",
    "  1 │ rules: |",
    '  2 │   args.comand runs "rm -rf" -> deny("No.")',
    `    │   ^ ${MESSAGE}`,
    "",
  ]);
});

it("beside a mark far to the right there is no room, so the sentence is below", () => {
  const text = `${"x".repeat(60)} y\n`;
  expect(frameOf(text, { line: 1, column: 62 })).toEqual([
    "",
    `  1 │ ${text.trim()}`,
    `    │ ${" ".repeat(61)}^`,
    `      ${MESSAGE}`,
    "",
  ]);
});

it("a pipe and a place that is not there any more have no frame", () => {
  const text = "a\u001b[2J\n";
  expect(frameOf(text, { line: 1, column: 1 }, Number.POSITIVE_INFINITY)).toBeUndefined();
  expect(frameOf(text, { line: 3, column: 1 })).toBeUndefined();
  expect(frameOf(text, { line: 1, column: 1 })?.[1]).toBe("  1 │ a�[2J");
});
