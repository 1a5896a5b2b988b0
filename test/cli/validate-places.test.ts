import { describe, expect, it } from "vitest";
import { newProject } from "./support/project.ts";
import { type Definition, FIRST, placeOf, placesIn, placesSuite } from "./support/validate-places.ts";

const BASE = { ...FIRST, name: "h" };
const matcher = (fields: object): Definition => ({ ...BASE, matcher: { events: ["PreToolUse"], ...fields } });
const inline = (rule: unknown, more: object = {}): Definition => ({
  name: "h",
  type: "inline",
  matcher: { events: ["PreToolUse"] },
  inline_rules: ['command exists -> context("first")', rule],
  ...more,
});

/** What is wrong, the definition, and the text at whose place it is reported: the key or the item itself. */
const PROBLEMS: Parameters<typeof placesSuite>[0] = [
  ["a regular expression among tools", matcher({ tools: ["Bash", "^Read$"] }), "^Read$"],
  ["a single regular expression", matcher({ tools: "^Read$" }), "^Read$"],
  ["a pattern that can't be compiled", matcher({ tools: ["Bash", "/(/"] }), "/(/"],
  ["a tool that no agent has", matcher({ tools: ["Read", "Bsah"] }), "Bsah"],
  ["a path pattern that can't be compiled", matcher({ path_patterns: ["src/**", "a{b"] }), "a{b"],
  ["a command pattern that can't be compiled", matcher({ command_patterns: ["git *", "/(/"] }), "/(/"],
  ["a model pattern that can't be compiled", matcher({ model_patterns: ["a*", "/(/"] }), "/(/"],
  ["an unknown field of the matcher", matcher({ toolz: ["Bash"] }), "toolz"],
  ["a misspelt field in when", matcher({ when: "comand exists" }), "comand exists"],
  ["a condition that can't be read", matcher({ when: "command rns x" }), "command rns x"],
  ["an event that does not exist", { ...BASE, matcher: { events: ["Stop", "PreTolUse"] } }, "PreTolUse"],
  [
    "an effect that the event does not have",
    inline('agent_id exists -> allow("x")', {
      matcher: { events: ["Stop"] },
      inline_rules: ['agent_id equals "a" -> deny("x")', 'agent_id exists -> allow("x")'],
    }),
    'agent_id exists -> allow("x")',
  ],
  ["a misspelt field in a rule", inline('comand exists -> deny("x")'), 'comand exists -> deny("x")'],
  [
    "a misspelt field in a template",
    inline('tool exists -> deny("{{arg.command}}")'),
    'tool exists -> deny("{{arg.command}}")',
  ],
  ["a rule that can't be read", inline('tool rns "b" -> deny("x")'), 'tool rns "b" -> deny("x")'],
  [
    "deny in an observer",
    inline('tool exists -> deny("x")', {
      observe: true,
      inline_rules: ['tool exists -> context("c")', 'tool exists -> deny("x")'],
    }),
    'tool exists -> deny("x")',
  ],
  ["a bad address", { ...BASE, type: "http", command: undefined, url: "htp:/x" }, "htp:/x"],
  ["a number out of range", { ...BASE, timeout: -17 }, "-17"],
  ["an unknown key", { ...BASE, timout: 3 }, "timout"],
  [
    "a prompt with a misspelt field",
    { name: "h", type: "llm", prompt: "Judge {{comand}}", matcher: { events: ["PreToolUse"] } },
    "Judge {{comand}}",
  ],
  ["a second hook's problem", matcher({ domains: ["a.example", "/(/"] }), "/(/"],
];

placesSuite(PROBLEMS);

describe("validate of subagents places", () => {
  it.each([
    ["an unknown key", "toolz: [Read]", "toolz"],
    ["a number out of range", "max-iterations: 0", "0"],
    ["a number out of range in another program's words", "maxTurns: many", "many"],
    ["a missing number", "max-iterations:", "max-iterations"],
    ["a model that is no name", "model: 7", "7"],
    ["a regular expression as a tool", "tools: Read, ^Bash$", "^Bash$"],
    ["a regular expression among tools", "tools:\n  - Read\n  - /mcp__.*/", "/mcp__.*/"],
    ["several tools in one name", "tools: [Edit|Write]", "Edit|Write"],
    ["a rule that takes no tool away", "disallowed-tools: [Read, Bash(rm *)]", "Bash(rm *)"],
    ["a list that is not closed", "tools: [Read", "\n---\nHello"],
    ["a tool that no agent has", "tools: [Read, Bsah]", "Bsah"],
    ["a list of another kind", "tools: { a: 1 }", "{ a: 1 }"],
    ["a mode that does not exist", "permissionMode: always", "permissionMode"],
  ])("%s at itself", async (_, line, at) => {
    const project = newProject();
    const text = `---\nname: x\ndescription: d\n${line}\n---\nHello.\n`;
    project.write(".tenterhook/agents/x.md", text);
    const found = await placesIn(project);
    expect(found.map((one) => `${one.line}:${one.column}`)).toEqual([placeOf(text, at)]);
  });
});

describe("validate of .agent/hook.toml places", () => {
  it.each([
    ["an unknown key", '[turn_end]\ncommand = "true"\nargz = []\n', "argz"],
    ["a value of another kind", "[turn_end]\ncommand = 7\n", "7"],
    ["an item of another kind", '[turn_start]\ncommand = "true"\nargs = ["a", 7]\n', "7"],
    [
      "a program that does not exist",
      '[turn_end]\nargs = []\ncommand = "no-such-program"\n',
      "no-such-program",
    ],
  ])("%s at itself", async (_, text, at) => {
    const project = newProject();
    project.write(".agent/hook.toml", text);
    const found = await placesIn(project);
    expect(found.map((one) => `${one.line}:${one.column}`)).toEqual([placeOf(text, at)]);
  });
});
