import { describe, expect, it } from "vitest";
import { HookFailureError } from "../../src/core/events/hook-failure-error.ts";
import { compileField, withField } from "../../src/rules/fields/fields.ts";
import { type RuleEvent, subjectOf } from "../../src/rules/fields/judged-event.ts";
import { bash, call, ports } from "./ports.ts";

const texts = (field: string, event: RuleEvent) =>
  compileField(field).identities(subjectOf(event, ports), false);
const value = (field: string, event: RuleEvent) => compileField(field).value(subjectOf(event, ports));

describe("fields", () => {
  it.each([
    ["tool_input.command", "ls"],
    ["args.command", "ls"],
    ["event", "PreToolUse"],
    ["tool_calls[0].tool_name", "Read"],
    ['native["odd key"].x', 1],
    ["args.missing.deeper", undefined],
    ["constructor", undefined],
    ["args.constructor.name", undefined],
    ["__proto__", undefined],
    ["args.command.length", undefined],
  ])("reads %s", (field, expected) => {
    const event = { ...bash("ls"), tool_calls: [{ tool_name: "Read" }], native: { "odd key": { x: 1 } } };
    expect(value(field, event)).toEqual(expected);
  });

  it("reads the shell text of a call under every agent's name for it", () => {
    expect(value("command", call("run_shell_command", { command: "ls" }))).toBe("ls");
    expect(value("command", call("exec_command", { cmd: "ls -l" }))).toBe("ls -l");
    expect(value("command", call("mcp__x__run", { command: "ls" }))).toBe("ls");
    expect(value("command", call("local_shell", { command: ["bash", "-lc", "rm -rf 'a b'"] }))).toBe(
      "bash -lc 'rm -rf '\\''a b'\\'''",
    );
    expect(value("command", call("str_replace_editor", { command: "view", path: "/a" }))).toBeUndefined();
    expect(value("command", call("Read", { file_path: "a" }))).toBeUndefined();
  });

  it("reads the file a call touches, absolute and relative, as written and as linked", () => {
    expect(texts("path", call("Write", { file_path: "src/../a.py" }))).toEqual([["/project/a.py", "a.py"]]);
    expect(texts("path", call("read_file", { absolute_path: "/project/link/passwd" }))).toEqual([
      ["/project/link/passwd", "link/passwd"],
      ["/etc/passwd"],
    ]);
    expect(texts("path", call("Edit", { filePath: "~/x" }))).toEqual([["/home/ann/x"]]);
    const patch =
      "*** Begin Patch\n*** Update File: a.ts\n*** Move to: b.ts\n@@\n*** Add File: c.ts\n*** Delete File: d.ts\n*** End Patch";
    expect(texts("path", call("apply_patch", { input: patch })).map(([, name]) => name)).toEqual([
      "a.ts",
      "b.ts",
      "c.ts",
      "d.ts",
    ]);
    expect(texts("path", { cwd: "/project", file_path: "AGENTS.md" })).toEqual([
      ["/project/AGENTS.md", "AGENTS.md"],
    ]);
  });

  it("knows a tool by all its names", () => {
    expect(texts("tool", call("write_file", {}))[0]).toContain("Write");
    expect(texts("tool", call("mcp__a__b", {}))).toEqual([["mcp__a__b"]]);
  });

  it("reads the model of whatever event has one", () => {
    expect(value("model", { model: "a" })).toBe("a");
    expect(value("model", { new_model: "b" })).toBe("b");
    expect(value("model", { model: "a", new_model: "b" })).toBe("b");
    expect(value("model", { request: { model: "c" } })).toBe("c");
  });

  it("setting a field changes a copy", () => {
    const event = bash("ls");
    expect(withField(event, "args.command", "x")).toEqual(bash("x"));
    expect(withField(call("exec_command", { cmd: "ls" }), "command", "x").tool_input).toEqual({ cmd: "x" });
    expect(withField(event, "args.a.b", 1).tool_input).toEqual({ command: "ls", a: { b: 1 } });
    expect(withField(event, "args.__proto__", { polluted: 1 }).polluted).toBeUndefined();
    expect(event).toEqual(bash("ls"));
  });

  it.each([
    [call("Write", { content: "", file_path: "a" }), { content: "", file_path: "/tmp/x.py" }],
    [call("Write", { AbsolutePath: "a" }), { AbsolutePath: "/tmp/x.py" }],
    [call("read_many_files", { paths: ["a", "b"] }), { paths: ["/tmp/x.py", "b"] }],
    [call("Edit", { edits: [{ path: "a" }] }), { edits: [{ path: "/tmp/x.py" }] }],
  ])("sets the path where it was read, of %j", (event, expected) => {
    expect(withField(event, "path", "/tmp/x.py").tool_input).toEqual(expected);
  });

  it("sets the command in every field that may hold it", () => {
    const event = call("exec_command", { cmd: "rm", command: "ls" });
    expect(withField(event, "command", "x").tool_input).toEqual({ cmd: "x", command: "x" });
  });

  it.each([
    ["args.list.foo", "tool_input.list.foo can't be set: tool_input.list is a list of 2."],
    ["args.list[9]", "tool_input.list[9] can't be set: tool_input.list is a list of 2."],
    ["args.command.x", "tool_input.command.x can't be set: tool_input.command is a string."],
    ["path", "path can't be set: no field of this call holds the path of a file."],
  ])("refuses to damage a value by setting %s", (field, message) => {
    const event = call("Bash", { command: "ls", list: [1, 2] });
    expect(() => withField(event, field, 1)).toThrow(new HookFailureError("bad_output", message));
    expect(withField(event, "args.list[2]", 3).tool_input).toEqual({ command: "ls", list: [1, 2, 3] });
  });
});
