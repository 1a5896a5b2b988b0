import { describe, expect, it } from "vitest";
import { createPermissions } from "../../../src/handlers/permissions/permissions.ts";
import { parsePermissionRule } from "../../../src/rules/permissions/parse-rule.ts";
import { thrown } from "../../support/thrown.ts";
import { ports } from "./support/permitted.ts";

describe("a permission rule", () => {
  it.each([
    ["Read", { text: "Read", tool: "Read" }],
    [" Bash(rm:*) ", { text: "Bash(rm:*)", tool: "Bash", specifier: { kind: "command", value: "rm:*" } }],
    [
      "run_shell_command(npm run test:*)",
      {
        text: "run_shell_command(npm run test:*)",
        tool: "Bash",
        specifier: { kind: "command", value: "npm run test:*" },
      },
    ],
    [
      "Bash(echo (a) b)",
      { text: "Bash(echo (a) b)", tool: "Bash", specifier: { kind: "command", value: "echo (a) b" } },
    ],
    ["Edit(src/**)", { text: "Edit(src/**)", tool: "Edit", specifier: { kind: "writes", value: "src/**" } }],
    ["mcp__a__b", { text: "mcp__a__b", tool: "mcp__a__b" }],
  ])("%j is read as %j", (text, parsed) => {
    expect(parsePermissionRule(text)).toEqual(parsed);
  });

  it.each<readonly [unknown, string]>([
    ["", 'The permission rule "" is empty.'],
    [7, "The permission rule 7 must be a string."],
    ["(rm)", 'The permission rule "(rm)" names no tool.'],
    ["Bash(rm", 'The permission rule "Bash(rm" has no closing parenthesis at its end.'],
    ["Bash(rm) x", 'The permission rule "Bash(rm) x" has no closing parenthesis at its end.'],
    [
      "Bash()",
      'The permission rule "Bash()" has nothing in its parentheses; leave them out to mean every call.',
    ],
    ["Bash rm", 'The permission rule "Bash rm" has no tool of the name "Bash rm".'],
    ["Bash(:*)", 'The permission rule "Bash(:*)" names no program.'],
    [
      "Bash(a:* b)",
      'The permission rule "Bash(a:* b)" has :* in its middle, and it means the rest of the line.',
    ],
    [
      "Bsh(rm:*)",
      'The permission rule "Bsh(rm:*)" gives Bsh a specifier, which only shell, file and fetch tools take. Did you mean "Bash"?',
    ],
    [
      "mcp__a__b(x)",
      'The permission rule "mcp__a__b(x)" gives mcp__a__b a specifier, which only shell, file and fetch tools take.',
    ],
    [
      "Read(src:*)",
      'The permission rule "Read(src:*)" has :*, which is for commands; for files write a glob such as src/**.',
    ],
    [
      "WebFetch(example.com)",
      'The permission rule "WebFetch(example.com)" must say domain:, for example WebFetch(domain:example.com).',
    ],
    ...["https://a.b", "a.b/c", "a.b:80", "me@a.b", "a*.b", "*", ""].map(
      (host) =>
        [
          `WebFetch(domain:${host})`,
          `The permission rule "WebFetch(domain:${host})" must give one host alone, such as example.com or *.example.com.`,
        ] as const,
    ),
  ])("%j is refused", (rule, message) => {
    expect(thrown(() => Reflect.apply(createPermissions, undefined, [{ deny: [rule] }, ports]))).toEqual([
      "bad_permission",
      message,
    ]);
  });

  it("a permission rule with an invalid glob is refused", () => {
    expect(thrown(() => createPermissions({ deny: ["Read({a/b)"] }, ports))).toEqual([
      "bad_pattern",
      expect.stringMatching(/^The permission rule "Read\(\{a\/b\)": .* has a "\{" that no "\}" closes/),
    ]);
  });

  it("that nearly names a tool is warned about", () => {
    const { warnings } = createPermissions({ deny: ["Raed", "deploy", "mcp__x"], allow: ["Writ"] }, ports);
    expect(warnings).toEqual([
      'The permission rule "Raed" names an unknown tool. Did you mean "Read"?',
      'The permission rule "Writ" names an unknown tool. Did you mean "Write"?',
    ]);
  });
});
