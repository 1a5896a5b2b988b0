import { expect, test } from "vitest";
import { markdownLines } from "../../src/terminal/cells/draw/markdown.ts";
import { columns } from "../../src/terminal/layout.ts";
import { paint } from "../../src/terminal/paint.ts";

const drawn = (text: string, width: number): readonly string[] => markdownLines(text, width, paint(false));

const TABLE = `| state | means |
| --- | --- |
| waiting | it has asked something, and no process waits with it |
| done | the agent has answered |`;

test("a table that fits has its columns side by side", () => {
  expect(drawn(TABLE, 80)).toEqual([
    "state    means",
    "waiting  it has asked something, and no process waits with it",
    "done     the agent has answered",
  ]);
});

test("the last column of a wide table goes on in the next line", () => {
  expect(drawn(TABLE, 40)).toEqual([
    "state    means",
    "waiting  it has asked something, and no",
    "         process waits with it",
    "done     the agent has answered",
  ]);
});

test("a table that leaves the last column no room has a row in lines of its own", () => {
  expect(drawn(TABLE, 24)).toEqual([
    "waiting",
    "  it has asked",
    "  something, and no",
    "  process waits with it",
    "done",
    "  the agent has answered",
  ]);
});

test("no line of a table is wider than the screen", () => {
  for (let width = 24; width < 70; width += 1)
    expect(drawn(TABLE, width).filter((line) => columns(line) > width)).toEqual([]);
});

test("a row in lines of its own says what its cells are, where there are several", () => {
  const lost =
    "| what fails | what happens | lost |\n| --- | --- | --- |\n| the server | events wait | nothing |";
  expect(drawn(lost, 24)).toEqual(["the server", "  what happens: events", "  wait", "  lost: nothing"]);
});
