import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { trustProject } from "../support/trust-project.ts";
import { newProject, type Project } from "./support/project.ts";

interface Found {
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
}

/** What `validate` says of a project: errors, then warnings, each as `line:column message`. */
async function findings(project: Project, ...files: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await project.run(["validate", ...files, "--format", "json"]);
  const { errors, warnings } = JSON.parse(stdout);
  const line = (kind: string) => (found: Found) =>
    `${kind} ${found.line ?? 0}:${found.column ?? 0} ${found.message}`;
  return [...errors.map(line("error")), ...warnings.map(line("warning"))];
}

/** A project with one file of hooks. The definitions begin in line 3. */
function hooksProject(definition: string): Project {
  const project = newProject();
  project.write(".tenterhook/hooks.yaml", `hooks:\n  definitions:\n${definition.replace(/^\n/, "")}`);
  return project;
}

const inline = (matcher: string, ...rules: readonly string[]) => `
    - name: h
      type: inline
      matcher: ${matcher}
      rules: |
${rules.map((rule) => `        ${rule}`).join("\n")}
`;

const command = (tools: string, line: string) => `
    - name: h
      type: command
      command: ${line}
      matcher: { events: [PreToolUse], tools: ${tools} }
`;

describe("validate finds", () => {
  it.each<[what: string, definition: string, ...found: string[]]>([
    [
      "an effect that the event does not have, at the rule",
      inline(
        "{ events: [Stop] }",
        'agent_id equals "x" -> context("c")',
        'agent_id equals "y" -> allow("a")',
      ),
      'error 7:9 Hook "h": the rule says context, which Stop can\'t have (only keep_going).',
      'error 8:9 Hook "h": the rule says allow, which Stop can\'t have (only keep_going).',
    ],
    [
      "a rule that can't be read, at its place",
      inline("{ events: [PreToolUse] }", 'command exists -> deny("a")', 'command rns "b" -> deny("b")'),
      [
        'error 8:17 Hook "h": In the rules of "h", line 2, column 9: expected an operator, found rns. Did you mean "runs"?',
        '  command rns "b" -> deny("b")',
        "          ^",
      ].join("\n"),
    ],
    [
      "every regular expression among names of tools",
      command('["mcp__.*", Bash, "(Bash|Edit)"]', "'true'"),
      'error 6:48 Hook "h": tools has "mcp__.*", which fits no tool: it is a regular expression. Write it as "/mcp__.*/".',
      'error 6:65 Hook "h": tools has "(Bash|Edit)", which fits no tool: it is a regular expression. Write it as "/(Bash|Edit)/".',
    ],
    [
      "misspelt fields in rules and their texts",
      inline(
        "{ events: [PreToolUse] }",
        'comand contains "x" -> deny("no")',
        'command exists -> deny("{{arg.command}}")',
      ),
      'error 7:9 Hook "h": PreToolUse has no field "comand". Did you mean "command"?',
      'error 8:9 Hook "h": PreToolUse has no field "arg.command". Did you mean "args"?',
    ],
    [
      "a misspelt field in when",
      inline("{ events: [PreToolUse], when: 'comand exists' }", 'tool exists -> deny("no")'),
      'error 5:46 Hook "h": PreToolUse has no field "comand". Did you mean "command"?',
    ],
    [
      "a decision of an observer",
      inline("{ events: [PreToolUse] }\n      observe: true", 'tool exists -> deny("no")'),
      'error 8:9 Hook "h": the rule says deny, but a hook with observe: true never decides.',
    ],
    ...["^Bash$", "mcp__.*", "(Bash|Edit)"].map((tools): [string, string, string] => [
      `the regular expression ${tools} among names of tools`,
      command(`["${tools}"]`, "'true'"),
      `error 6:48 Hook "h": tools has "${tools}", which fits no tool: it is a regular expression. Write it as "/${tools}/".`,
    ]),
    [
      "a misspelt tool",
      command("[Bsah]", "'true'"),
      'warning 6:48 Hook "h": no agent has a tool "Bsah". Did you mean "Bash"? A tool of your own is declared in hooks.tools.',
    ],
    [
      "a shell line that the shell can't read",
      command("[Bash]", "'if true; then echo'"),
      expect.stringMatching(
        /^error 5:16 Hook "h": the shell can't read the command: .*[Ss]yntax error/,
      ) as string,
    ],
    [
      "an address that is none",
      "\n    - { name: h, type: http, url: 'htp:/x', matcher: { events: [PreToolUse] } }\n",
      'error 3:35 Hook "h": url must be an address that begins with http:// or https://.',
    ],
  ])("%s, before and after trust", async (_, definition, ...found) => {
    const project = hooksProject(definition);
    expect(await findings(project)).toEqual(found);
    expect(await findings(project, ".tenterhook/hooks.yaml")).toEqual(found);
    // A file that does not load can't be trusted.
    await trustProject(project.cwd, project.environment).catch(() => undefined);
    expect(await findings(project)).toEqual(found);
  });

  it("everything at once, of every hook", async () => {
    const project = hooksProject(
      `${command('["^Bash$"]', "'if'")}${command("[Bash]", "'true'").replace("name: h", "name: i")}`,
    );
    expect(await findings(project)).toHaveLength(2);
  });

  it("scripts with Windows line ends and with syntax errors", async () => {
    const project = newProject();
    project.write("crlf.sh", "#!/bin/sh\r\necho x\r\n");
    project.write("broken.sh", "#!/bin/sh\nif true; then\n");
    project.write("fine.py", "if True:\r\n  print(1)\r\n");
    const hook = (script: string) => ({
      name: script,
      type: "command",
      script,
      matcher: { events: ["Stop"] },
    });
    const named = (line: string, at: number) => ({
      name: `named-${at}`,
      type: "command",
      command: line,
      matcher: { events: ["Stop"] },
    });
    const definitions = [
      ...["crlf.sh", "broken.sh", "fine.py"].map(hook),
      ...["./crlf.sh", 'bash -e "$TENTERHOOK_PROJECT_DIR/broken.sh" x', "wc crlf.sh", "python3 fine.py"].map(
        named,
      ),
    ];
    project.write(".tenterhook/hooks.yaml", stringify({ hooks: { definitions } }));
    expect(await findings(project)).toEqual([
      expect.stringContaining("crlf.sh has Windows line ends (CRLF)"),
      expect.stringContaining("the shell can't read broken.sh"),
      expect.stringContaining('Hook "named-0": crlf.sh has Windows line ends (CRLF)'),
      expect.stringContaining(`Hook "named-1": the shell can't read broken.sh`),
    ]);
  });

  it("no fault with a tool that the file declares, and none with a foreign agent's own field", async () => {
    const project = newProject();
    const matcher = { events: ["PreToolUse"], tools: ["Bsah"], when: 'permission_mode equals "plan"' };
    const hook = { name: "h", type: "command", command: "true", matcher };
    project.write(".tenterhook/hooks.yaml", stringify({ hooks: { tools: ["Bsah"], definitions: [hook] } }));
    expect(await findings(project)).toEqual([]);
  });

  it("what is wrong with the rest of a hook that has an unknown key or a value of another kind", async () => {
    const project = newProject();
    const matcher = { events: ["PreToolUse"], tools: ["Read", "^Bash$"], toolz: 1 };
    const hook = { name: "h", type: "command", command: "if true; then", timeout: -3, matcher };
    const rules = { name: "r", type: "inline", rules: 7, matcher };
    project.write(".tenterhook/hooks.yaml", stringify({ hooks: { definitions: [hook, rules] } }));
    const found = (await findings(project)).join("\n");
    expect(found.match(/"(h|r)": (timeout|rules|matcher|tools|the shell)/g)?.sort()).toEqual([
      '"h": matcher',
      '"h": the shell',
      '"h": timeout',
      '"h": tools',
      '"r": matcher',
      '"r": rules',
      '"r": tools',
    ]);
    expect((await findings(project)).length).toBe(7);
  });

  it("subagents that can't be used", async () => {
    const project = newProject();
    project.write(".tenterhook/agents/x.md", "---\nname: x\ntoolz: [Read]\n---\nHello.\n");
    expect(await findings(project)).toEqual([
      'error 3:1 the key "toolz" is not known. Did you mean "tools"?',
    ]);
  });

  it("every problem of a subagent's file, each at its line", async () => {
    const project = newProject();
    project.write(".tenterhook/agents/x.md", "---\nname: x\ntoolz: [Read]\nmax-iterations: 0\n---\nHello.\n");
    const { stdout } = await project.run(["validate"]);
    expect(stdout).toContain('x.md:3:1: the key "toolz" is not known.');
    expect(stdout).toContain("x.md:4:17: max-iterations must be a whole number of 1 or more");
  });

  it("and writes it down for GitHub", async () => {
    const project = hooksProject(command('["^Bash$"]', "'true'"));
    const { stdout, code } = await project.run(["validate", "--format", "github"]);
    expect([code, stdout]).toEqual([
      2,
      '::error file=.tenterhook/hooks.yaml,line=6,col=48::Hook "h": tools has "^Bash$", which fits no tool: it is a regular expression. Write it as "/^Bash$/".\n',
    ]);
  });
});
