import { expect, it } from "vitest";
import { compileWhen } from "../../src/rules/compiled/when.ts";
import { compiledDecision, compiledRules } from "../../src/rules/decision.ts";
import { readInlineRules } from "../../src/rules/rules.ts";
import { bash, ports } from "./ports.ts";

// The order counts: in this file nothing has loaded the shell analysis before the first test.

it("reports a bad runs pattern of a `when` immediately, before the shell analysis is loaded", () => {
  expect(() => compileWhen('command runs "@nonsense"', ports)).toThrow(
    expect.objectContaining({ code: "bad_pattern" }),
  );
});

it.each([
  ['tool equals "Bash" and command runs "terraform destroy" -> deny("No")', "terraform destroy"],
  ['tool equals "Bash" and call reads "/etc/hosts" -> deny("No")', "cat /etc/hosts"],
  [
    'tool equals "Bash" and command runs "git push" and not command contains "--dry-run" -> deny("No")',
    "git push; echo --dry-run",
  ],
])(
  "decides by a compiled rule that is found by the tool and asks what the line does: %s",
  async (rule, line) => {
    const { index, lines } = compiledRules(readInlineRules({ name: "h", rules: rule }), ports);
    const decide = compiledDecision(index, () => lines, ports, "h");
    expect(await decide(bash("ls"))).toMatchObject({ action: "continue" });
    expect(await decide(bash(line))).toMatchObject({ action: "deny" });
  },
);
