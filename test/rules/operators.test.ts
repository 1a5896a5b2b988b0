import { describe, expect, it } from "vitest";
import { compileWhen } from "../../src/rules/compiled/when.ts";
import type { RuleEvent } from "../../src/rules/fields/judged-event.ts";
import { bash, call, ports } from "./ports.ts";

const holds = async (condition: unknown, event: RuleEvent) => await compileWhen(condition, ports)(event);
const write = call("Write", {
  file_path: "src/app/main.py",
  content: "Hello",
  lines: 12,
  tags: ["red", "Blue"],
  on: true,
});

describe("operators", () => {
  it.each([
    ['args.content equals "Hello"', true],
    ['args.content equals "hello"', false],
    ['args.content equals "hello" ignoring case', true],
    ["args.lines equals 12", true],
    ['args.lines equals "12"', true],
    ["args.on equals true", true],
    ['args.content not_equals "Hello"', false],
    ['args.missing not_equals "x"', true],
    ['args.content contains "ell"', true],
    ['args.content contains "ELL" ignoring case', true],
    ['args.tags contains "lu"', true],
    ['not args.tags contains "red"', false],
    ['args.tags equals "red"', true],
    ['not args.tags equals "red"', true],
    ['args contains "main.py"', true],
    ['args.content starts_with "He"', true],
    ['args.content ends_with "lo"', true],
    ['args.content matches "^H.*o$"', true],
    ['args.content matches "^h" ignoring case', true],
    ["args.content matches /^h/i", true],
    ['args.content in ["a", "Hello"]', true],
    ['args.content in ["HELLO"] ignoring case', true],
    ["args.lines in [1, 12]", true],
    ["args.content exists", true],
    ["args.missing exists", false],
    ["args.missing exists false", true],
    ["path exists", true],
    ["args.lines gt 11", true],
    ["args.lines gte 12", true],
    ["args.lines lt 12", false],
    ["args.lines lte 12", true],
    ["args.lines > 11", true],
    ["args.lines>=12", true],
    ["args.lines < 12", false],
    ["args.lines <= 12 and args.lines > -1", true],
    ["args.content gt 1", false],
    ["args.missing lt 1", false],
    ['event equals "PreToolUse"', true],
    ['tool equals "write_file"', true],
    ['tool equals "Write"', true],
    ['tool equals "Read"', false],
    ['tool in ["bash", "create_file"]', true],
    ['tool glob "W*"', true],
    ['tool not_equals "WriteFile"', false],
    ["command exists", false],
    ['command contains ""', false],
  ])("%s is %s of a Write", async (condition, expected) => {
    expect(await holds(condition, write)).toBe(expected);
  });

  it.each([
    ['path glob "*.py"', true],
    ['path glob "main.*"', true],
    ['path glob "src/**"', true],
    ['path glob "src/*"', false],
    ['path glob "./src/**"', true],
    ['path glob "src/"', true],
    ['path glob "/project/src/**/*.py"', true],
    ['path glob "**/app/*"', true],
    ['path glob "*.PY"', false],
    ['path glob "*.PY" ignoring case', true],
    ['args.file_path glob "*.py"', true],
    ['args.file_path glob "/project/**"', true],
    ['path equals "src/app/main.py"', true],
    ['path starts_with "/project/"', true],
    ['args.file_path starts_with "/project/"', false],
  ])("%s is %s of a path", async (condition, expected) => {
    expect(await holds(condition, write)).toBe(expected);
  });

  it("lets * cross everything in other text", async () => {
    expect(await holds('command glob "rm *"', bash("rm a/b/c\nd"))).toBe(true);
    expect(await holds('command glob "rm ?"', bash("rm /"))).toBe(true);
  });

  it.each([
    ["sh -c 'rm -rf x'", 'command runs "rm -r -f"', true],
    ["cat ~/.ssh/id_rsa", 'command reads "~/.ssh/**"', true],
    ["cat src/../.env", 'command reads ".env"', true],
    ["echo x > /etc/hosts", 'command writes "/etc/**"', true],
    ["cat /etc/hosts", 'command writes "/etc/**"', false],
    ["curl https://API.example.com/x", 'command connects "*.example.com"', true],
    ["curl https://api.example.com/x", 'command connects "https://api.example.com/"', true],
    ["$CMD x", "command dynamic", true],
    ["ls x", "command dynamic", false],
    ["RM -R x", 'command runs "rm -r" ignoring case', true],
    ["echo 1 > .env", 'command runs "@Changes **/.env" ignoring case', true],
    ["echo 1 > .ENV", 'command runs "@changes **/.env" ignoring case', true],
    ["echo 1 > .env", 'command runs "@changes **/.ENV" ignoring case', true],
    ["echo 1 > .ENV", 'command runs "@changes **/.env"', false],
    ["mkdir aΣb", 'command runs "mkdir aΣ*" ignoring case', true],
    ["cat aΣ*", 'command reads "aΣb" ignoring case', true],
    ["ls x", 'command runs "rm" or not command dynamic', true],
  ])("of %s: %s is %s", async (line, condition, expected) => {
    expect(await holds(condition, bash(line))).toBe(expected);
    expect(await holds(condition.replaceAll("command ", "call "), bash(line))).toBe(expected);
    expect(
      await holds(condition.replaceAll("command ", "args.script "), call("mcp__x__y", { script: line })),
    ).toBe(expected);
  });

  it("answers dynamic for a line over 64 kB and still compares its text", async () => {
    const line = `echo ${"a".repeat(70_000)} needle`;
    expect(await holds("command dynamic", bash(line))).toBe(true);
    expect(await holds('command contains "needle"', bash(line))).toBe(true);
    expect(await holds("command matches 'a+ needle$'", bash(line))).toBe(true);
  });
});

describe("what a call touches", () => {
  it.each([
    ["reads", call("Read", { file_path: "/project/.env" })],
    ["reads", call("read_file", { absolute_path: "/project/.env" })],
    ["reads", call("Edit", { file_path: ".env", old_string: "a", new_string: "b" })],
    ["reads", call("str_replace_editor", { command: "view", path: "/project/.env" })],
    ["reads", call("mcp__fs__read_file", { path: ".env" })],
    ["reads", bash("cat .env | head")],
    ["reads", bash("wc -l < .env")],
    ["writes", call("Write", { file_path: "a/../.env", content: "" })],
    ["writes", call("MultiEdit", { file_path: ".env", edits: [] })],
    ["writes", call("apply_patch", { input: "*** Begin Patch\n*** Update File: .env\n@@\n*** End Patch" })],
    ["writes", call("mcp__odd__tool", { files: [{ path: ".env" }] })],
    ["writes", bash("echo x >> .env")],
    ["writes", bash("apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: .env\n+x\n*** End Patch\nEOF")],
    ["connects", call("WebFetch", { url: "https://evil.example.com/.env" })],
    ["connects", call("web_fetch", { prompt: "Read https://evil.example.com:8080/a and sum up" })],
    ["connects", bash("curl -s evil.example.com")],
  ])("call %s is seen in %j", async (access, event) => {
    const pattern = access === "connects" ? "evil.example.com" : ".env";
    expect(await holds(`call ${access} "${pattern}"`, event)).toBe(true);
    expect(await holds(`call ${access} "other"`, event)).toBe(false);
  });

  it("does not count a read as a write, nor a search as a connection", async () => {
    expect(await holds('call writes ".env"', call("Read", { file_path: ".env" }))).toBe(false);
    expect(await holds('call reads ".env"', call("Write", { file_path: ".env" }))).toBe(false);
    expect(await holds('call connects "*"', call("WebSearch", { query: "https://a.example" }))).toBe(false);
  });
});

describe("when", () => {
  it("when takes the YAML spelling", async () => {
    const when = {
      any: [
        { field: "args.lines", operator: "gt", value: 100 },
        { not: { field: "tool", operator: "equals", value: "Read" } },
      ],
    };
    expect(await holds(when, write)).toBe(true);
  });

  it("answers at once when nothing has to be loaded", () => {
    expect(compileWhen('tool equals "Write"', ports)(write)).toBe(true);
  });

  it("when refuses what it can't read", () => {
    expect(() => compileWhen("tool equal", ports)).toThrow(
      'In when, line 1, column 6: expected an operator, found equal. Did you mean "equals"?',
    );
    expect(() => compileWhen(5, ports)).toThrow("In when: expected a condition");
  });
});
