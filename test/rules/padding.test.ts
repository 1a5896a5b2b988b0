import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { compileWhen, compileWhenCover } from "../../src/rules/compiled/when.ts";
import { loadShellAnalysis } from "../../src/rules/fields/shell-analysis.ts";
import { PACKS } from "../../src/rules/packs/packs.ts";
import { compileInlineRules, type InlineRules } from "../../src/rules/rules.ts";
import { analyseShell } from "../../src/rules/shell/analyse.ts";
import { runs } from "../support/long.ts";
import { bash, call, ports } from "./ports.ts";

let packHooks: readonly InlineRules[] = [];

beforeAll(async () => {
  await loadShellAnalysis();
  packHooks = await Promise.all(
    [...PACKS.values()].flatMap((pack) => pack.definitions.map((each) => compileInlineRules(each, ports))),
  );
});

const rulesOf = (rules: string) => compileInlineRules({ name: "own", rules }, ports);
const said = async ({ decide }: InlineRules, line: string) => (await decide(bash(line))).action;

/** What each hook of the packs says to a line. */
async function saidByPacks(line: string): Promise<readonly string[]> {
  const event = bash(line);
  return Promise.all(packHooks.map(async ({ decide }) => (await decide(event)).action));
}

/** Text before, after or around a command that changes nothing about it. */
const padded = fc
  .tuple(
    fc.constantFrom(
      ":;",
      "a=1;",
      "true && ",
      "\n",
      " ",
      "# a comment\n",
      "echo hello; ",
      "[ -f x ]; ",
      "x=$(date); ",
      ": <<'E'\nbody {\nE\n",
      ": {a,b}; ",
      "if true; then :; fi; ",
      "f() { :; }; ",
      "cat < /dev/null; ",
    ),
    fc.constantFrom(0, 1, 30, 600, 4_200, 20_000),
    fc.constantFrom("before", "after", "both"),
    fc.constantFrom(
      ["", ""],
      ["( ", ")"],
      ["{ ", "; }"],
      ["eval '", "'"],
      ["sh -c '", "'"],
      ['echo "$(', ')"'],
    ),
    fc.constantFrom(1, 3, 40),
  )
  .map(([unit, count, where, [open, close], depth]) => (command: string) => {
    // A body has its own lines, which quotes around it would hide.
    const padding = unit.repeat(Math.min(count, Math.floor(200_000 / unit.length)));
    const around = unit.includes("<<") || open?.includes("'") === true ? Math.min(depth, 1) : depth;
    const inner = `${(open ?? "").repeat(around)}${command}${(close ?? "").repeat(around)}`;
    if (where === "before") return `${padding}${inner}`;
    return `${where === "both" ? padding : ""}${inner}\n${padding}${unit.endsWith("&& ") ? "true" : ""}`;
  });

describe("padding", () => {
  it.each([
    'command runs "git push" -> deny("no")',
    'call runs "git push" -> ask("sure?")',
    'tool equals "Bash" and args.command runs "git push" -> deny("no")',
    'command runs "git push" and not command contains "--dry-run" -> deny("no")',
    'command runs "git push" and not command runs "git push --dry-run" -> stop("no")',
    'command runs "git status" -> allow("fine")\ncommand runs "git push" -> deny("no")',
    'not command runs "git push" -> continue()\ncommand exists -> deny("no")',
    'not command runs "git push" -> context("be brief")\ncommand exists -> deny("no")',
  ])("opens no rule of a person: %s", async (text) => {
    const rules = await rulesOf(text);
    await fc.assert(
      fc.asyncProperty(padded, async (pad) => {
        expect(["deny", "ask", "stop"], pad("git push")).toContain(await said(rules, pad("git push")));
      }),
      { numRuns: runs(5) },
    );
  });

  it("opens no rule about files or hosts", async () => {
    const rules = await rulesOf(
      'call reads "**/.env" -> deny("no")\ncall writes "/etc/**" -> deny("no")\ncall connects "evil.example" -> deny("no")',
    );
    const commands = fc.constantFrom("cat .env", "cp a /etc/x", "curl https://evil.example/x");
    await fc.assert(
      fc.asyncProperty(padded, commands, async (pad, command) => {
        expect(["deny", "ask"]).toContain(await said(rules, pad(command)));
      }),
      { numRuns: runs(5) },
    );
  });

  it("opens no rule of a pack", async () => {
    const commands = fc.constantFrom("rm -rf /", "git push --force", "cat ~/.ssh/id_rsa");
    await fc.assert(
      fc.asyncProperty(padded, commands, async (pad, command) => {
        const actions = await saidByPacks(pad(command));
        expect(actions.some((action) => action === "deny" || action === "ask")).toBe(true);
      }),
      { numRuns: runs(4) },
    );
  });

  it("asks where the rule would deny, says why, and denies what was found all the same", async () => {
    const rules = await rulesOf('command runs "git push" -> deny("Not from here.")');
    const line = ":;".repeat(600);
    expect(await rules.decide(bash(`${line}git push`))).toMatchObject({
      action: "ask",
      text: expect.stringMatching(/^Not from here\.\n.*too long or too deep/),
    });
    expect(await rules.decide(bash(`git push; ${line}`))).toMatchObject({
      action: "deny",
      text: "Not from here.",
    });
    const two = await rulesOf('command runs "npm publish" -> ask("a")\ncommand runs "git push" -> deny("b")');
    expect(await two.decide(bash(`git push; ${line}`))).toMatchObject({ action: "deny", text: "b" });
  });

  it("leaves a rule alone that the rest of its condition rules out", async () => {
    const rules = await rulesOf('tool equals "Read" and call reads "x" -> deny("no")');
    expect(await said(rules, ":;".repeat(600))).toBe("continue");
  });

  it("is sure of another field of the call, which it has read to its end", async () => {
    const rules = await rulesOf('args.command runs "rm" and args.cmd runs "git push" -> deny("no")');
    const long = ":;".repeat(600);
    const decided = async (command: string) =>
      (await rules.decide(call("Bash", { command, cmd: long }))).action;
    expect(await decided("rm x")).toBe("ask");
    expect(await decided("ls")).toBe("continue");
  });

  it("makes no allow, and no exception", async () => {
    const rules = await rulesOf(
      'command runs "echo" -> allow("fine")\nnot command runs "git push" -> allow("fine")',
    );
    expect(await said(rules, `${"echo a;".repeat(600)}git push`)).toBe("continue");
  });

  it("keeps a human's own answer, and refuses where nobody can be asked", async () => {
    const rules = await rulesOf('command runs "git push" -> deny("no")');
    const line = `${":;".repeat(600)}git push`;
    const event = (hook_event_name: string) => call("Bash", { command: line }, { hook_event_name });
    expect((await rules.decide(event("PermissionRequest"))).action).toBe("continue");
    expect((await rules.decide(event("PostToolUse"))).action).toBe("deny");
  });

  it("lets a hook with a condition see the call, without leave to allow it", async () => {
    const line = bash(`${":;".repeat(600)}git push`);
    expect(await compileWhen('command runs "git push"', ports)(line)).toBe(true);
    expect(await compileWhenCover('command runs "git push"', ports)(line)).toBe(false);
    expect(await compileWhen('command runs "git push"', ports)(bash("ls"))).toBe(false);
  });
});

describe("what an analysis does not count", () => {
  const body = 'const a = { b: ["c"] };\n'.repeat(4_000);

  it.each([
    ["a quoted heredoc", `cat > a.js <<'EOF'\n${body}EOF\nls`],
    ["an open heredoc", `cat > a.js <<EOF\n${"plain words of a text\n".repeat(4_000)}EOF\nls`],
    ["an indented heredoc", `cat > a.js <<-"END"\n\t${body}\tEND\nls`],
    ["several heredocs", `${`cat > a.js <<'E'\n${body.slice(0, 24_000)}E\n`.repeat(4)}ls`],
    ["blanks", `ls${" ".repeat(100_000)}; ls`],
    ["empty lines", `ls${"\n".repeat(100_000)}ls`],
    ["comments", `ls\n${"# rm -rf / says the manual\n".repeat(4_000)}ls`],
  ])("%s of more than 64 kB", async (_name, line) => {
    const { dynamic, incomplete, commands } = analyseShell(line);
    expect({ dynamic, incomplete }).toEqual({ dynamic: false, incomplete: false });
    expect(commands.at(-1)?.name).toBe("ls");
    expect(await saidByPacks(line)).toEqual(packHooks.map(() => "continue"));
  });

  it("runs what a long heredoc gives to a shell, and what it writes into a script", async () => {
    const text = `${"# padding for a script\n".repeat(4_000)}git push\n`;
    const rules = await rulesOf('command runs "git push" -> deny("no")');
    for (const line of [
      `sh <<'E'\n${text}E\n`,
      `cat > x.sh <<'E'\n${text}E\nsh x.sh`,
      `bash -c '${text}'`,
      `: <<'E'; git push\n${text}E\n`,
    ])
      expect(await said(rules, line)).toBe("deny");
  });
});
