import { describe, expect, it } from "vitest";
import { compileCommandCover, compileCommandPatterns } from "../../src/rules/compiled/command-patterns.ts";
import type { RuleEvent } from "../../src/rules/fields/judged-event.ts";
import { compileInlineRules } from "../../src/rules/rules.ts";
import { bash, call, ports } from "./ports.ts";

async function allows(rules: string, event: RuleEvent) {
  const { decide } = await compileInlineRules({ name: "h", rules }, ports);
  return (await decide(event)).action === "allow";
}

describe("an allow on shell text", () => {
  it.each([
    "ls; rm -rf /",
    "ls && rm -rf /",
    "ls a | xargs rm",
    "ls $(rm -rf /)",
    "ls `rm x`",
    "ls & rm x",
    "ls\nrm x",
    "ls <(rm x)",
    "ls; $CMD",
  ])("for ls never covers %j", async (line) => {
    expect(await allows('command glob "ls*" -> allow("listing")', bash(line))).toBe(false);
    expect(await allows('command starts_with "ls" -> allow("listing")', bash(line))).toBe(false);
    expect(await allows("args.command matches '^ls' -> allow('listing')", bash(line))).toBe(false);
    expect(await allows('command runs "ls" -> allow("listing")', bash(line))).toBe(false);
    expect(await allows('args contains "ls" -> allow("listing")', bash(line))).toBe(false);
    expect(
      await allows('native.tool_input.command contains "ls" -> allow("x")', {
        ...bash(line),
        native: bash(line),
      }),
    ).toBe(false);
    expect(await allows('call reads "**" or command contains "ls" -> allow("listing")', bash(line))).toBe(
      false,
    );
  });

  it.each(["ls", "ls -la src", "ls a; ls b", "ls a && ls b | ls"])(
    "an allow for ls covers %j",
    async (line) => {
      expect(await allows('command glob "ls*" -> allow("listing")', bash(line))).toBe(true);
      expect(
        await allows('native.tool_input.command contains "ls" -> allow("x")', {
          ...bash(line),
          native: bash(line),
        }),
      ).toBe(true);
    },
  );

  it("covers a line of several commands that each fit", async () => {
    const rules = 'command runs "git status" or command runs "git diff" -> allow("looking")';
    expect(await allows(rules, bash("git status && git diff --stat"))).toBe(true);
    expect(await allows(rules, bash("git status && git push"))).toBe(false);
  });

  it("holds for a list of arguments too", async () => {
    const line = (text: string) => call("local_shell", { command: ["bash", "-lc", text] });
    expect(await allows('command runs "ls" -> allow("x")', line("ls; rm x"))).toBe(false);
  });

  it("of another field, or of a call without shell text, is an ordinary rule", async () => {
    expect(await allows('tool equals "Bash" -> allow("x")', bash("ls; rm x"))).toBe(true);
    expect(await allows('call reads "src/**" -> allow("x")', call("Read", { file_path: "src/a.ts" }))).toBe(
      true,
    );
  });
});

describe("an allow on paths", () => {
  it.each([
    ["Read", "src/a.ts", true],
    ["Read", "src/../../etc/passwd", false],
    ["Read", "/project/src/a.ts", true],
    ["Edit", "src/a.ts", false],
    ["mcp__x__thing", "src/a.ts", false],
  ])("of %s %s is %s", async (tool, path, expected) => {
    expect(await allows('call reads "src/**" -> allow("x")', call(tool, { file_path: path }))).toBe(expected);
  });

  it("needs both the link and what it links to inside", async () => {
    const rules = 'path glob "link/**" -> allow("x")';
    expect(await allows(rules, call("Read", { file_path: "link/passwd" }))).toBe(false);
    expect(await allows(rules.replace("allow", "deny"), call("Read", { file_path: "link/passwd" }))).toBe(
      false,
    );
    expect(
      await allows(
        'args.file_path glob "src/**" -> allow("x")',
        call("Read", { file_path: "src/../link/x" }),
      ),
    ).toBe(false);
    expect(
      await allows('args.file_path glob "src/**" -> allow("x")', call("Read", { file_path: "src/a" })),
    ).toBe(true);
  });

  it("needs every file of a call to fit", async () => {
    const patch = (...files: string[]) =>
      call("apply_patch", {
        input: `*** Begin Patch\n${files.map((file) => `*** Add File: ${file}`).join("\n")}\n*** End Patch`,
      });
    expect(await allows('call writes "src/**" -> allow("x")', patch("src/a", "src/b"))).toBe(true);
    expect(await allows('call writes "src/**" -> allow("x")', patch("src/a", "/etc/b"))).toBe(false);
    expect(await allows('path glob "src/**" -> allow("x")', patch("src/a", "/etc/b"))).toBe(false);
  });
});

describe("command patterns", () => {
  const fits = async (patterns: readonly string[], event: RuleEvent) =>
    await compileCommandPatterns(patterns, ports)(event);
  const covers = async (patterns: readonly string[], event: RuleEvent) =>
    await compileCommandCover(patterns, ports)(event);

  it("are tried against each simple command", async () => {
    expect(await fits(["rm *"], bash("cd a && sudo rm -rf b"))).toBe(true);
    expect(await fits(["/^git\\s+push/"], bash("ls; git  push"))).toBe(true);
    expect(await fits(["/^GIT push/i"], bash("git push"))).toBe(true);
    expect(await fits(["git push*"], bash("git status"))).toBe(false);
    expect(await fits(["*"], call("Read", { file_path: "x" }))).toBe(false);
  });

  it("cover a line only when every command fits one of them", async () => {
    expect(await covers(["ls *", "cat *"], bash("ls a; cat b"))).toBe(true);
    expect(await covers(["ls *"], bash("ls a; rm -rf /"))).toBe(false);
    expect(await covers(["*"], bash("$CMD a"))).toBe(false);
  });

  it("are refused when they can't be read", () => {
    expect(() => compileCommandPatterns(["{a"], ports)).toThrow('The glob "{a" has a "{"');
    expect(() => compileCommandPatterns([""], ports)).toThrow("A command pattern must be a string");
  });
});
