import { describe, expect, it } from "vitest";
import { touchesOf } from "../../../src/rules/shell/behaviours/touches.ts";
import { FAMILIES, indexPrograms } from "../../../src/rules/shell/programs/programs.ts";
import { NO_REDIRECTIONS } from "../../../src/rules/shell/state/frame.ts";

const rows = FAMILIES.flatMap((family) => Object.entries(family));
const names = rows.flatMap(([key]) => key.split(" "));

/** The keys of rows for which something does not hold. */
function wrong(holds: (row: (typeof rows)[number][1]) => boolean): readonly string[] {
  return rows.filter(([, row]) => !holds(row)).map(([key]) => key);
}

describe("the rows of programs", () => {
  it("name every program once", () => {
    expect(names.filter((name, index) => name === "" || names.indexOf(name) !== index)).toEqual([]);
  });

  it("share options only with a program that has its own", () => {
    const own = new Set(rows.filter(([, row]) => row.like === undefined).flatMap(([key]) => key.split(" ")));
    expect(wrong(({ like }) => like === undefined || own.has(like))).toEqual([]);
  });

  it("do not give options or access to a program that takes them from another", () => {
    expect(
      wrong(
        ({ like, values, same, access, addAccess, reach }) =>
          like === undefined ||
          [values, same, access, addAccess, reach].every((field) => field === undefined),
      ),
    ).toEqual([]);
  });

  it("write options with dashes", () => {
    const areOptions = (text = "", option = /^-/) =>
      text.split(" ").every((word) => word === "" || option.test(word));
    expect(
      wrong(
        ({ values, same, wraps, optionAccess = {} }) =>
          areOptions(values) &&
          areOptions(same, /^-[^=]+=-[^=]+$/) &&
          areOptions(wraps?.values) &&
          areOptions(wraps?.scripts) &&
          areOptions(Object.keys(optionAccess).join(" ")),
      ),
    ).toEqual([]);
  });

  it("give arguments roles that exist, of which one at most repeats", () => {
    expect(
      wrong(({ access = "-" }) => /^(?:[ruwdmhapq-] )*[ruwdmhapq-]\*?(?: [ruwdmhapq-])*$/.test(access)),
    ).toEqual([]);
  });

  it("give option values roles only together with arguments", () => {
    expect(
      wrong(
        ({ access, addAccess, optionAccess }) =>
          optionAccess === undefined || (access ?? addAccess) !== undefined,
      ),
    ).toEqual([]);
  });
});

describe("a new row", () => {
  const row = { values: "-o", same: "--output=-o", access: "r*", optionAccess: { "-o": "w" } } as const;
  const programOf = indexPrograms([
    ...FAMILIES,
    { "newtool newtool-*": row, othertool: { like: "newtool" } },
  ]);

  it.each(["newtool", "newtool-12", "othertool"])("is all it takes to know a program: %s", (name) => {
    const program = programOf(name);
    expect([...program.options.values, ...program.options.same]).toEqual(["-o", ["--output", "-o"]]);
    const parsed = { flags: ["-o"], options: [{ flag: "-o", value: "out" }], args: ["a", "b"] };
    const call = {
      parsed,
      redirections: NO_REDIRECTIONS,
      folder: "src",
      words: [],
      stdin: { text: undefined, from: [] },
    };
    expect(touchesOf(program, call)).toMatchObject({
      reads: ["src/a", "src/b"],
      writes: ["src/out"],
    });
  });

  it("changes nothing for a program without one", () => {
    for (const name of ["constructor", "rmdir unlink", "newtool othertool", ""])
      expect(programOf(name).roles, name).toBe(undefined);
  });
});
