import { expect, it } from "vitest";
import { nodeRulePorts } from "../../src/node/ports.ts";
import { RuleError, type RulePlace } from "../../src/rules/rule-error.ts";
import { compileInlineRules } from "../../src/rules/rules.ts";
import { compileTemplate } from "../../src/rules/template.ts";

async function placeOf(work: () => unknown): Promise<RulePlace | undefined> {
  try {
    await work();
  } catch (error) {
    if (error instanceof RuleError) return error.place;
  }
  return undefined;
}

const compiled = (part: object) => () => compileInlineRules({ name: "mine", ...part }, nodeRulePorts);

it("an error of a rule knows its place", async () => {
  const rule = 'tool_name equals "Bash" -> deny("No.")';
  expect(await placeOf(compiled({ rules: `${rule}\ntool_name equals -> deny("No.")` }))).toMatchObject({
    line: 2,
    column: 18,
  });
  expect(await placeOf(compiled({ rules: `${rule}\ntool_name matches /(/ -> deny("No.")` }))).toEqual({
    rule: 1,
    line: 2,
  });
  expect(await placeOf(compiled({ inline_rules: [rule, "tool_name"] }))).toEqual({ rule: 1 });
});

it("an error of a template knows its character", async () => {
  expect(await placeOf(() => compileTemplate("Call {{tool_name | shout}}."))).toEqual({ character: 16 });
});
