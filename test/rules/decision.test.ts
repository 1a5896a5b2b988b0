import { describe, expect, it } from "vitest";
import { compileInlineRules, openInlineRules } from "../../src/rules/rules.ts";
import { bash, ports } from "./ports.ts";

const definition = {
  name: "h",
  rules: `command runs "rm" -> deny("delete")
command contains "needle" -> ask("found")
command matches "x{3}" -> stop("many")
tool equals "Read" -> continue()
`,
};

describe("deciding", () => {
  it("answers at once in a process that compiled its rules", async () => {
    const { decide } = await compileInlineRules(definition, ports);
    expect(decide(bash("ls"))).toEqual({ action: "continue" });
    expect(decide(bash("echo 'a' | xargs rm"))).toMatchObject({ action: "deny" });
  });

  it("sees a change of an event that is not frozen", async () => {
    const { decide } = await compileInlineRules(definition, ports);
    const input = { command: "ls" };
    const event = { ...bash(""), tool_input: input };
    expect(decide(event)).toEqual({ action: "continue" });
    input.command = "rm x";
    expect(decide(event)).toMatchObject({ action: "deny", text: "delete" });
  });

  it("gives hooks that share a frozen event the same answers as others", async () => {
    const hooks = await Promise.all(
      ["rm", "ls"].map((name) =>
        compileInlineRules({ name, rules: `command runs "${name}" -> deny("${name}")` }, ports),
      ),
    );
    for (const line of ["rm x", "ls x", "ls; r''m x"]) {
      const frozen = Object.freeze({ ...bash(""), tool_input: Object.freeze({ command: line }) });
      expect(hooks.map(({ decide }) => decide(frozen))).toEqual(
        hooks.map(({ decide }) => decide(bash(line))),
      );
    }
  });

  it("reports a bad pattern of a rule that was opened, not compiled, only when the rule is asked", async () => {
    const { decide } = openInlineRules({ name: "h", rules: "command matches 'needle(' -> deny()" }, ports);
    await expect((async () => decide(bash("a needle(")))()).rejects.toMatchObject({ code: "bad_pattern" });
    const other = openInlineRules(
      { name: "h", rules: "command contains 'zz' and command matches '(' -> deny()" },
      ports,
    );
    expect(await other.decide(bash("ls"))).toEqual({ action: "continue" });
  });

  it("opens rules about nothing but text without loading anything", () => {
    const { decide } = openInlineRules({ name: "h", rules: 'command contains "needle" -> deny("x")' }, ports);
    expect(decide(bash("a needle"))).toMatchObject({ action: "deny" });
  });
});
