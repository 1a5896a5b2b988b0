import { expect, it } from "vitest";
import { regexEngineLoaded } from "../../src/rules/operators/regex.ts";
import type { RuleOutcome } from "../../src/rules/rule.ts";
import { openInlineRules } from "../../src/rules/rules.ts";
import { bash, ports } from "./ports.ts";

const { decide } = openInlineRules(
  {
    name: "letters",
    rules: [
      'command matches "helm delete \\\\p{L}+$" -> deny("letters")',
      'command matches "(?i:straße)|über\\\\w+" -> deny("words")',
    ].join("\n"),
  },
  ports,
);

/** What is said about a command, and whether at once: a promise is only answered when something has to be loaded. */
async function said(command: string) {
  const outcome = decide(bash(command));
  const { action, ...rest }: RuleOutcome = await outcome;
  return { atOnce: !("then" in outcome), action, text: "text" in rest ? rest.text : undefined };
}

it("asks the engine about a text beyond ASCII, and about no other, when an expression tells letters apart", async () => {
  expect([await said("helm delete everything"), await said("helm delete 1")]).toEqual([
    { atOnce: true, action: "deny", text: "letters" },
    { atOnce: true, action: "continue", text: undefined },
  ]);
  expect(regexEngineLoaded()).toBe(false);
  expect(await said("helm delete ärger")).toEqual({ atOnce: false, action: "deny", text: "letters" });
  expect(regexEngineLoaded()).toBe(true);
  // What was compiled before asks the engine from now on.
  expect([await said("helm delete ٣"), await said("ls STRASSE STRAßE"), await said("ls überall")]).toEqual([
    { atOnce: true, action: "continue", text: undefined },
    { atOnce: true, action: "deny", text: "words" },
    { atOnce: true, action: "deny", text: "words" },
  ]);
});
