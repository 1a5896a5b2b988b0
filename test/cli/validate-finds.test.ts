import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { trustProject } from "../support/trust-project.ts";
import { newProject } from "./support/project.ts";
import { findings, hooksProject } from "./support/validate-findings.ts";

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
      command('["mcp__.*", Bash, "(Bash|Edit)"]', "[ls]"),
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
      command(`["${tools}"]`, "[ls]"),
      `error 6:48 Hook "h": tools has "${tools}", which fits no tool: it is a regular expression. Write it as "/${tools}/".`,
    ]),
    [
      "a misspelt tool",
      command("[Bsah]", "[ls]"),
      'warning 6:48 Hook "h": no agent has a tool "Bsah". Did you mean "Bash"? A tool of your own is declared in hooks.tools.',
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

  it("no fault with a tool that the file declares, and none with a foreign agent's own field", async () => {
    const project = newProject();
    const matcher = { events: ["PreToolUse"], tools: ["Bsah"], when: 'permission_mode equals "plan"' };
    const hook = { name: "h", type: "command", command: ["true"], matcher };
    project.write(".tenterhook/hooks.yaml", stringify({ hooks: { tools: ["Bsah"], definitions: [hook] } }));
    expect(await findings(project)).toEqual([]);
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
    const project = hooksProject(command('["^Bash$"]', "[ls]"));
    const { stdout, code } = await project.run(["validate", "--format", "github"]);
    expect([code, stdout]).toEqual([
      1,
      '::error file=.tenterhook/hooks.yaml,line=6,col=48::Hook "h": tools has "^Bash$", which fits no tool: it is a regular expression. Write it as "/^Bash$/".\n',
    ]);
  });
});
