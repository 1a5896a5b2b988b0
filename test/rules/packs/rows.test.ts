import { describe, expect, it } from "vitest";
import { type PackExample, type PackRule, ruleText } from "../../../src/rules/packs/pack.ts";
import { PACKS } from "../../../src/rules/packs/packs.ts";
import { compileInlineRules } from "../../../src/rules/rules.ts";
import { bash, call, ports as emptyPorts } from "../ports.ts";

/** Every file of an example is there. */
const ports = { ...emptyPorts, holdsData: () => true };

const hooks = [...PACKS.values()].flatMap((pack) => pack.definitions);
const rules = hooks.flatMap((hook) => hook.rows.map((rule, index) => ({ hook, rule, index })));
const byName = rules.map((one) => [`${one.hook.name}, rule ${one.rule.id}`, one] as const);

function eventOf(example: PackExample) {
  return typeof example === "string" ? bash(example) : { ...call("Read", {}), ...example };
}

describe("each rule of each pack", () => {
  it("has a name of its own, which no hook and no pack has", () => {
    const rows = new Map<string, PackRule>();
    for (const { rule } of rules) {
      expect([rule.id, rows.get(rule.id) ?? rule]).toEqual([rule.id, rule]);
      rows.set(rule.id, rule);
    }
    const taken = [...PACKS.keys(), ...hooks.map(({ name }) => name)];
    expect(taken.filter((name) => rows.has(name))).toEqual([]);
  });

  it.each(byName)("%s: says why, and what to do instead, in short sentences", (_name, { rule }) => {
    expect(rule.id).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(rule.reason).toMatch(/^[A-Z].*[.?]$/);
    expect(rule.instead).toMatch(/^[A-Z].*\.$/);
    expect(ruleText(rule).length).toBeLessThanOrEqual(200);
  });

  it.each(byName)("%s: stops and lets through what its page says", async (_name, { hook, rule, index }) => {
    const { decide } = await compileInlineRules(hook, ports);
    expect([rule.stops.length > 0, rule.passes.length > 0]).toEqual([true, true]);
    for (const example of rule.stops) {
      const outcome = await decide(eventOf(example));
      expect([example, outcome.action, outcome.rule?.index]).toEqual([example, rule.answer ?? "ask", index]);
    }
    for (const example of rule.passes)
      expect([example, (await decide(eventOf(example))).action]).toEqual([example, "continue"]);
  });
});
