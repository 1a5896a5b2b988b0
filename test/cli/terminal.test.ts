import { expect, test } from "vitest";
import { tableLines } from "../../src/cli/command-line/screen/table.ts";
import {
  ago,
  columns,
  cut,
  hanging,
  harmless,
  milliseconds,
  wrapped,
} from "../../src/cli/command-line/screen/text.ts";
import { dim, paint, wantsColours } from "../../src/terminal/paint.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { runCli, userEnvironment } from "./support/run-cli.ts";

test("colours are for terminals, unless NO_COLOR or FORCE_COLOR say otherwise", () => {
  expect([
    wantsColours(true, {}),
    wantsColours(false, {}),
    wantsColours(true, { NO_COLOR: "1" }),
    wantsColours(true, { NO_COLOR: "" }),
    wantsColours(false, { FORCE_COLOR: "1" }),
    wantsColours(true, { FORCE_COLOR: "0" }),
    wantsColours(true, { FORCE_COLOR: "1", NO_COLOR: "1" }),
    wantsColours(true, { TERM: "dumb" }),
  ]).toEqual([true, false, false, true, true, false, false, false]);
  expect([paint(true).red("x"), paint(false).red("x")]).toEqual(["\u001b[31mx\u001b[0m", "x"]);
});

test("a table is as wide as what is in it, and gives way on a narrow screen where it may", () => {
  const rows = [{ name: "first-name", count: 1, text: "a long description of it" }];
  const all = [
    { title: "NAME", cell: (row: (typeof rows)[number]) => row.name },
    { title: "N", cell: (row: (typeof rows)[number]) => String(row.count), right: true as const },
    { title: "TEXT", cell: (row: (typeof rows)[number]) => row.text, least: 6 },
  ];
  expect(tableLines(all, rows, 80)).toEqual([
    "NAME        N  TEXT",
    "first-name  1  a long description of it",
  ]);
  expect(tableLines(all, rows, 24)).toEqual(["NAME        N  TEXT", "first-name  1  a long d…"]);
  expect(tableLines(all, rows, 5)).toEqual(["NAME        N  TEXT", "first-name  1  a lon…"]);
});

test("texts are cut, broken and shown without what could act on the terminal", () => {
  expect([cut("abcdef", 4), columns("\u001b[31mab\u001b[0m"), wrapped("aa bb cc", 5, " ")]).toEqual([
    "abc…",
    2,
    " aa\n bb\n cc",
  ]);
  // Languages with wide characters have no spaces between words.
  expect(wrapped(dim("  aa bb"), 4)).toBe("  \u001b[2maa\u001b[22m\n  \u001b[2mbb\u001b[0m");
  expect([wrapped("1 漢字漢字", 6), wrapped("1 abcdefgh", 6)]).toEqual(["1 漢字\n漢字", "1\nabcdefgh"]);
  expect(hanging("t", "aa bb", 6, 3)).toBe("t  aa\n   bb");
  expect(harmless("a\u001b[2Jb\u0007c\rd\u202ee\tf\n")).toBe("a�[2Jb�c�d�e\tf\n");
  const unseen = "\u00ad\u034f\u115f\u1160\u2800\u3164\uffa0\u{e0100}\u{e01ef}";
  expect(harmless(`a${unseen}b❤\ufe0f`)).toBe(`a${"�".repeat(9)}b❤\ufe0f`);
  expect([milliseconds(0.04), milliseconds(12.3), milliseconds(1234.5)]).toEqual([
    "0.0 ms",
    "12 ms",
    "1235 ms",
  ]);
  const now = Date.parse("2026-01-02T00:00:00Z");
  expect(
    ["2026-01-01T23:59:58Z", "2026-01-01T21:00:00Z", "2025-12-01T00:00:00Z"].map((time) => ago(time, now)),
  ).toEqual(["2 s ago", "3 h ago", "32 d ago"]);
});

test("FORCE_COLOR colours what goes into a pipe", async () => {
  const folder = temporaryFolder();
  const { stderr } = await runCli(folder, userEnvironment(folder, { FORCE_COLOR: "1" }), "show", "nobody");
  expect(stderr).toContain("\u001b[31mThere is no hook ");
});
