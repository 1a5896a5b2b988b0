import { describe, expect, it } from "vitest";
import { MATCHER_FIELDS } from "../../src/core/registration/matcher.ts";
import { hooksFile, project } from "./support/project.ts";

const DIR = "project/.tenterhook";
const PATH = `${DIR}/hooks.yaml`;

/** One definition in YAML, with lines of its own below it. */
const hook = (...lines: readonly string[]) =>
  ["hooks:", "  definitions:", "    - name: x", ...lines.map((line) => `      ${line}`)].join("\n");
const inline = (...lines: readonly string[]) =>
  hook("type: inline", "matcher: { events: [PreToolUse] }", ...lines);

describe("a file that can't be parsed is refused at its place", () => {
  it.each<[file: string, text: string, message: string]>([
    ["hooks.yaml", "hooks: { timeout: .inf }", "1:19: Numbers must be finite."],
    ["hooks.toml", "hooks.timeout = inf", "1:17: Numbers must be finite."],
    [
      "hooks.yaml",
      "hooks: [",
      "1:9: Flow sequence in block collection must be sufficiently indented and end with a ].",
    ],
    [
      "hooks.yaml",
      "hooks: {}\nhooks: {}",
      '2:1: The key "hooks" is given twice; the first is on line 1. Keep one of them.',
    ],
    [
      "hooks.yaml",
      "hooks: !!binary aGk=",
      "1:8: Unresolved tag: tag:yaml.org,2002:binary. Tags are not supported; write the value without one.",
    ],
    [
      "hooks.yaml",
      "hooks: !js x",
      "1:8: Unresolved tag: !js. Tags are not supported; write the value without one.",
    ],
    [
      "hooks.yaml",
      "hooks: {}\n---\nhooks: {}",
      "2:1: The file holds several documents. Keep one; remove the line with ---.",
    ],
    ["hooks.yaml", "a: &a [*a]", "1:8: The alias *a is inside its own anchor."],
    ["hooks.yaml", "a: *b", "1:4: There is no anchor &b before this alias."],
    ["hooks.yaml", "? [a]\n: b", "1:3: A key must be a string."],
    ["hooks.yaml", "__proto__: 1", '1:1: The key "__proto__" can\'t be used. Choose another name.'],
    [
      "hooks.yaml",
      "[".repeat(500),
      "1:101: Values are nested too deeply here, or there are too many aliases.",
    ],
    ["hooks.json", '{ "hooks": }', "1:12: A value was expected."],
    [
      "hooks.json",
      '{\n  "hooks": {},\n  "hooks": {}\n}',
      '3:3: The key "hooks" is given twice; the first is on line 2. Keep one of them.',
    ],
    ["hooks.json", '{ "__proto__": 1 }', '1:3: The key "__proto__" can\'t be used. Choose another name.'],
    [
      "hooks.json",
      "[".repeat(500),
      "1:101: Values are nested too deeply here, or there are too many aliases.",
    ],
    ["hooks.toml", "[hooks]\ntimeout = ", "2:11: Invalid value."],
    ["hooks.toml", "[hooks]\n[hooks]", "2:2: Trying to redefine an already defined table or value."],
    [
      "hooks.toml",
      "a.".repeat(500).concat("a = 1"),
      "1:1: Values are nested too deeply here, or there are too many aliases.",
    ],
  ])("%s: %j", async (file, text, message) => {
    expect(await project({ [file]: text }).refused()).toEqual(["config_syntax", `${DIR}/${file}:${message}`]);
  });

  it("a file that is not UTF-8 is refused at its place", async () => {
    const files = project();
    files.write("hooks.yaml", Uint8Array.of(0x61, 0xff));
    expect(await files.refused()).toEqual(["config_syntax", `${PATH}: The file is not UTF-8 text.`]);
  });

  it("when aliases stand for too much", async () => {
    const letters = [..."abcdefgh"];
    const lines = letters.map(
      (name, at) =>
        `${name}: &${name} [${Array(9)
          .fill(at === 0 ? "x" : `*${letters[at - 1]}`)
          .join(", ")}]`,
    );
    const [code, message] = await project({ "hooks.yaml": lines.join("\n") }).refused();
    expect([code, message]).toEqual([
      "config_syntax",
      expect.stringContaining("Aliases expand to more than 10000 values. Use fewer of them."),
    ]);
  });
});

describe("a file made to take forever is refused", () => {
  const many = (text: string) => text.repeat(20_000);
  it.each([
    ["brackets", "yaml", many("[")],
    ["braces", "yaml", many("{a: ")],
    ["dashes", "yaml", many("- ")],
    ["question marks", "yaml", many("? ")],
    ["colons", "yaml", many(": ")],
    ["blocks", "yaml", Array.from({ length: 1000 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n")],
    ["aliases", "yaml", `a: &a x\nb: [${many("*a, ")}]`],
    ["brackets", "json", many("[")],
    ["braces", "json", many('{"a":')],
    ["brackets", "toml", `a = ${many("[")}`],
    ["braces", "toml", `a = ${many("{a=")}`],
    ["dots", "toml", `[a${many(".a")}]`],
  ])("too many %s in %s", async (_, suffix, text) => {
    const [code, message] = await project({ [`hooks.${suffix}`]: text }).refused();
    expect([code, message]).toEqual(["config_syntax", expect.stringMatching(/nested/)]);
  });
});

it("many values on one line are no nesting", async () => {
  const text = JSON.stringify(
    JSON.parse(hooksFile(...Array.from({ length: 60 }, (_, number) => `h${number}`))),
  );
  expect((await project({ "hooks.yaml": text }).load()).definitions.length).toBe(60);
});

it("words of YAML 1.1 are texts", async () => {
  const text = "permissions: { deny: [no, off, yes, 12:30:45, 0o7x] }";
  expect((await project({ "hooks.yaml": text }).load()).settings.permissions).toEqual({
    deny: ["no", "off", "yes", "12:30:45", "0o7x"],
  });
});

describe("a file that says what nobody reads is refused at its place", () => {
  it.each<[text: string, message: string]>([
    ["hoks: {}", '1:1: The file has the unknown key "hoks". Did you mean "hooks"?'],
    ["hooks:\n  defintions: []", '2:3: hooks has the unknown key "defintions". Did you mean "definitions"?'],
    [
      "[]",
      "1:1: The file is []; it must be an object with the keys $schema, hooks, models, permissions, sandbox, memory, compaction, agents, checkpoints, mcp_servers, monitor, daemon, self_protection, mods, degrade.",
    ],
    ["hooks:\n  timeout: 0", "2:12: hooks.timeout is 0; it must be a number of seconds above 0."],
    [
      "hooks: { limits: { hook_turns: -1 } }",
      "1:32: hooks.limits.hook_turns is -1; it must be a number of 0 or more.",
    ],
    ["hooks: { disabled: x }", '1:20: hooks.disabled is "x"; it must be a list of non-empty strings.'],
    [
      "hooks: { definitions: [7] }",
      "1:24: hooks.definitions[0] is 7; it must be an object with a name, a type and a matcher.",
    ],
    [
      "sandbox: { mode: readonly }",
      '1:18: sandbox.mode is "readonly"; it must be one of off, read-only, workspace-write. Did you mean "read-only"?',
    ],
    [
      "monitor: { on_idle: { action: nugde } }",
      '1:31: monitor.on_idle.action is "nugde"; it must be one of escalate, nudge, check, done, fail, auto. Did you mean "nudge"?',
    ],
    [
      "monitor: { on_idle: { action: nudge, cooldown: soon } }",
      '1:48: monitor.on_idle.cooldown is "soon"; it must be a number of seconds, or a string such as 60s, 10m or 2h.',
    ],
    [
      "mcp_servers: { docs: { comand: x } }",
      '1:24: mcp_servers.docs has the unknown key "comand". Did you mean "command"?',
    ],
    [
      "hooks: { llm_model: a/b }\nmodels: { judge: c/d }",
      '1:21: hooks.llm_model is "a/b" and models.judge is "c/d", but they are two spellings of one setting. Keep one of them.',
    ],
    [
      hook("matcher: { events: [Stop] }"),
      '3:7: Hook "x": type is missing; it must be one of inline, command, http, llm, agent, mcp, module, all, any, first.',
    ],
    [
      hook("type: inlne", "matcher: { events: [Stop] }"),
      '4:13: Hook "x": type is "inlne"; it must be one of inline, command, http, llm, agent, mcp, module, all, any, first. Did you mean "inline"?',
    ],
    [
      hook("type: inline", "rules: a exists -> deny()"),
      `3:7: Hook "x": matcher is missing; it must be an object with the keys events, ${Object.keys(MATCHER_FIELDS).join(", ")}.`,
    ],
    [
      hook("type: prompt", "matcher: { events: [Stop] }", "prompt: is {{args.command | lenght}} long?"),
      '6:15: Hook "x": In the template at character 18: unknown filter "lenght". Did you mean "length"?; near "is {{args.command | lenght}} long?".',
    ],
    [
      inline("priorty: 1", "rules: command exists -> deny()"),
      '6:7: Hook "x" has the unknown key "priorty". Did you mean "priority"?',
    ],
    [
      hook("type: inline", "matcher: { events: [PreTolUse] }"),
      '5:27: Hook "x": matcher.events[0] is "PreTolUse"; it must be the name of an event. Did you mean "PreToolUse"?',
    ],
    [
      hook("type: inline", "matcher: { events: PreTolUse }"),
      '5:26: Hook "x": matcher.events is "PreTolUse"; it must be an event or a list of events, for example [PreToolUse]. Did you mean "PreToolUse"?',
    ],
    [
      hook("type: inline", "matcher: { events: [Stop], tool: Bash }"),
      '5:34: Hook "x": matcher has the unknown key "tool". Did you mean "tools"?',
    ],
    [
      inline("on_failure: { timout: open }", "rules: command exists -> deny()"),
      '6:21: Hook "x": on_failure has the unknown key "timout". Did you mean "timeout"?',
    ],
    [inline(), "3:7: Hook \"x\": Inline hook requires 'inline_rules'"],
    [
      inline(
        "inline_rules:",
        "  - { field: tool, operator: equals, value: a, action: deny }",
        "  - { field: tool, operator: equalz, value: a, action: deny }",
      ),
      '8:11: Hook "x": In rule 2 of "x": unknown operator "equalz". Did you mean "equals"? Operators are equals, not_equals, contains, starts_with, ends_with, glob, matches, in, exists, gt, gte, lt, lte, runs, reads, writes, connects, dynamic.',
    ],
    [
      inline("rules: command contains 'a' -> deny()", "examples: [{ match: b }]"),
      '3:7: Hook "x": In example 1 of "x", match: "b": rule 1 (line 1), command contains "a" -> deny(), does not match it.',
    ],
    [
      hook("type: inline", "matcher: { events: [Stop], tools: '[a' }", "rules: event exists -> stop()"),
      '5:41: Hook "x": tools: The glob "[a" has a "[" that no "]" closes; write "\\[" for the character itself.',
    ],
    [
      hook("type: command", "matcher: { events: [Stop] }"),
      '3:7: Hook "x": command is missing; it must be a shell line, or a list of a program and its arguments, unless script is given.',
    ],
    [
      hook("type: command", "matcher: { events: [Stop] }", "command: a", "script: b.sh"),
      '7:15: Hook "x": script can\'t be given together with command. Remove one of them.',
    ],
    [
      hook("type: http", "matcher: { events: [Stop] }"),
      '3:7: Hook "x": url is missing; it must be a non-empty string.',
    ],
    [
      hook("matcher: { events: [Stop] }", "all: [{ type: comand, command: a }]"),
      '5:21: Hook "x": all[0].type is "comand"; it must be one of inline, command, http, llm, agent, mcp, module, all, any, first. Did you mean "command"?',
    ],
    [
      hook("matcher: { events: [Stop] }", "all: [{ type: inline }]"),
      "5:13: Hook \"x\": Inline hook requires 'inline_rules'",
    ],
    [
      "hooks: { use: [safe-shel] }",
      '1:16: There is no pack "safe-shel", and no installed package with a hooks.yaml has that name. Did you mean "safe-shell"?',
    ],
    [
      'hooks: { use: ["@acme/x"] }',
      '1:16: The package "@acme/x" is not installed, or has no hooks.yaml. A file is named with ./ before it.',
    ],
    ["hooks: { use: [./none.yaml] }", `1:16: There is no file ${DIR}/none.yaml, which hooks.use names.`],
    [
      "hooks: { use: [./hooks.yaml] }",
      `1:16: The file uses itself: ${PATH} → ${PATH}. Remove one of these from use.`,
    ],
  ])("%j", async (text, message) => {
    expect(await project({ "hooks.yaml": text }).refused()).toEqual(["config_invalid", `${PATH}:${message}`]);
  });

  it("an unknown key in JSON or TOML is refused at its place", async () => {
    expect(await project({ "hooks.json": '{\n  // why\n  "hooks": { "timout": 1 },\n}' }).refused()).toEqual([
      "config_invalid",
      `${DIR}/hooks.json:3:14: hooks has the unknown key "timout". Did you mean "timeout"?`,
    ]);
    const toml =
      '[[hooks.definitions]]\nname = "x"\ntype = "inline"\nmatcher = { events = ["Stop"], tool = "a" }\n';
    expect(await project({ "hooks.toml": toml }).refused()).toEqual([
      "config_invalid",
      `${DIR}/hooks.toml:4:32: Hook "x": matcher has the unknown key "tool". Did you mean "tools"?`,
    ]);
  });

  it("all at once, in the order of the file", async () => {
    const z =
      "    - name: z\n      type: inline\n      matcher: { events: [PreToolUse] }\n      rules: command rns x -> deny()\n";
    const text = `hoks: 1\n${hook("type: inlne", "matcher: { events: [Stp] }")}\n    - name: y\n      type: http\n      matcher: { events: [Stop] }\n${z}`;
    expect(await project({ "hooks.yaml": text, "hooks.local.yaml": "a: [" }).refused()).toEqual([
      "config_invalid",
      [
        "The configuration has 6 problems:",
        `- ${PATH}:1:1: The file has the unknown key "hoks". Did you mean "hooks"?`,
        `- ${PATH}:5:13: Hook "x": type is "inlne"; it must be one of inline, command, http, llm, agent, mcp, module, all, any, first. Did you mean "inline"?`,
        `- ${PATH}:6:27: Hook "x": matcher.events[0] is "Stp"; it must be the name of an event. Did you mean "Stop"?`,
        `- ${PATH}:7:7: Hook "y": url is missing; it must be a non-empty string.`,
        `- ${PATH}:13:14: Hook "z": In the rules of "z", line 1, column 9: expected an operator, found rns. Did you mean "runs"?`,
        "  command rns x -> deny()",
        "          ^",
        `- ${DIR}/hooks.local.yaml:1:5: Flow sequence in block collection must be sufficiently indented and end with a ].`,
      ].join("\n"),
    ]);
  });
});

it("a name that stands twice in one scope is refused with both places", async () => {
  const files = project({ "hooks.json": hooksFile("a", "b", "a") });
  expect(await files.refused()).toEqual([
    "config_invalid",
    `${DIR}/hooks.json:24:7: Hook "a" is defined twice; the first is at ${DIR}/hooks.json:4. Give one of them another name.`,
  ]);
});
