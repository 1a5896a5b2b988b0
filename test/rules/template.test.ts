import { describe, expect, it } from "vitest";
import { subjectOf } from "../../src/rules/fields/judged-event.ts";
import { compileTemplate, renderValue } from "../../src/rules/template.ts";
import { call, ports } from "./ports.ts";

const subject = subjectOf(
  call("write_file", { file_path: "src/a.py", content: "añ😀b", list: [1, 2], n: 3, empty: "" }),
  ports,
);
const render = (text: string) => compileTemplate(text).render(subject);

describe("templates", () => {
  it.each([
    [
      "Tool: {{tool}}  File: {{args.file_path}}  Size: {{args.content | length}}",
      "Tool: write_file  File: src/a.py  Size: 4",
    ],
    ["{{ args.list }} {{args.n}}", "[1,2] 3"],
    ["{{args.file_path | upper}}{{tool|lower}}", "SRC/A.PYwrite_file"],
    ["{{args.content | truncate(3)}}", "añ😀"],
    ["{{args.content | truncate(0)}}", ""],
    ["{{args.content | json}}", '"añ😀b"'],
    ['{{args.missing}}|{{args.empty | default("none")}}', "|none"],
    ["{{args.missing | default('x') | upper}}", "X"],
    ["{{args.list | length}}", "2"],
    ["{{constructor}}{{__proto__.polluted}}{{args.content.length}}", ""],
    ["no slots", "no slots"],
  ])("renders %s", (text, rendered) => {
    expect(render(text)).toBe(rendered);
  });

  it("a template renders an object as JSON", () => {
    expect(render("{{args}}")).toBe(JSON.stringify(subject.event.tool_input));
  });

  it.each([
    ["{{", "expected a field after {{"],
    ["{{a", "expected | and a filter, or }}"],
    ["{{a | upcase}}", 'unknown filter "upcase"'],
    ["{{a | truncat(3)}}", 'Did you mean "truncate"?'],
    ["{{a | truncate}}", "the filter truncate needs a number in parentheses"],
    ["{{a | default}}", "the filter default needs a string in parentheses"],
  ])("refuses %s", (text, message) => {
    expect(() => compileTemplate(text)).toThrow(message);
  });

  it("a template names the fields it uses", () => {
    expect(compileTemplate("{{tool}} {{args.x | json}}").fields).toEqual(["tool", "args.x"]);
  });

  it("renders the texts inside a value and leaves the rest", () => {
    expect(renderValue({ a: ["{{args.n}}", 5], b: null, c: true }, subject)).toEqual({
      a: ["3", 5],
      b: null,
      c: true,
    });
  });
});
