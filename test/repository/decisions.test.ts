import { basename } from "node:path";
import { expect, test } from "vitest";
import { filesBelow, read } from "./support/files.ts";
import { brokenLinks } from "./support/guides.ts";

const MOST_LINES = 30;
const INDEX = "docs/decisions/README.md";
const records = filesBelow("docs/decisions", /^\d{4}-.*\.md$/);

/** What the line below the title says. */
function headOf(record: string) {
  const text = read(record);
  const [, number, title] = /^# (\d{4}): (.+)$/m.exec(text) ?? [];
  // A name of a file has dots too.
  const [, date, status] = /^Date: (\d{4}-\d\d-\d\d)\. Status: ((?:\([^)]*\)|[^.(])+)\./m.exec(text) ?? [];
  return { file: basename(record), number, title, date, status, lines: text.trimEnd().split("\n").length };
}

test("every decision record has a number of its own, in its name and its heading", () => {
  expect(records).toContain("docs/decisions/0001-one-package.md");
  const numbers = records.map((record) => basename(record).slice(0, 4));
  expect(numbers).toEqual([...new Set(numbers)]);
  expect(records.map((record) => headOf(record).number)).toEqual(numbers);
});

test("every decision record has at most 30 lines", () => {
  const long = records.map(headOf).filter(({ lines }) => lines > MOST_LINES);
  expect(long.map(({ file, lines }) => `${file} has ${lines} lines`)).toEqual([]);
});

test("every decision record says when it was made, and whether it is in force or superseded by which other one", () => {
  const link = String.raw`\[\d{4}\]\(\d{4}-[\w-]+\.md\)`;
  const by = `superseded by ${link}(, ${link})*( and ${link})?`;
  const known = new RegExp(`^(in force(; in part ${by})?|${by})$`);
  const unclear = records
    .map(headOf)
    .filter(({ date, status = "" }) => date === undefined || !known.test(status));
  expect(unclear).toEqual([]);
});

test("the index has a row for every decision record, in order, as the record itself says", () => {
  const rows = records
    .map(headOf)
    .map(
      ({ file, number, title, date, status }) => `| [${number}](${file}) | ${title} | ${date} | ${status} |`,
    );
  expect(
    read(INDEX)
      .split("\n")
      .filter((line) => line.startsWith("| [")),
  ).toEqual(rows);
});

test("every link in a decision record, in the index and in the page of measurements leads to a file", () => {
  expect([INDEX, "docs/performance.md", ...records].flatMap(brokenLinks)).toEqual([]);
});
