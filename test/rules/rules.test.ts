import { describe, expect, it } from "vitest";
import type { RuleEvent } from "../../src/rules/fields/judged-event.ts";
import { compileInlineRules, type InlineDefinition, openInlineRules } from "../../src/rules/rules.ts";
import { bash, call, ports } from "./ports.ts";

/** What the rules decide, by both strategies, which must agree. */
async function decide(definition: Partial<InlineDefinition>, event: RuleEvent) {
  const whole = { name: "h", ...definition };
  const eager = await (await compileInlineRules(whole, ports)).decide(event);
  const lazy = await openInlineRules(whole, ports).decide(event);
  expect(lazy).toEqual(eager);
  return eager;
}

const actionOf = async (rules: string, event: RuleEvent) => (await decide({ rules }, event)).action;

describe("the examples of the specification", () => {
  const guard = {
    name: "bash-safety-guard",
    inline_rules: [
      {
        field: "args.command",
        operator: "contains",
        value: "rm -rf /",
        action: "deny",
        reason: "System-wide delete blocked",
      },
      { field: "args.command", operator: "matches", value: "^rm\\s+-rf\\s+/", action: "deny", reason: "…" },
    ],
  };
  const policy = {
    name: "shell-policy",
    rules: `args.command runs "rm -r -f" -> deny("Recursive delete blocked")
args.command runs "git push --force" and not args.command contains "--force-with-lease" -> ask("Force push?")
tool equals "write_file" and path glob "*.py" -> continue()
`,
    examples: [{ match: "sudo rm -fr build" }, { not_match: 'echo "rm -rf"' }],
  };
  const blocker = {
    name: "expensive-model-blocker",
    inline_rules: [
      {
        field: "new_model",
        operator: "contains",
        value: "opus",
        action: "deny",
        reason: "Expensive model blocked in CI",
      },
    ],
  };

  it("bash-safety-guard denies a system-wide delete by its first or second rule", async () => {
    expect(await decide(guard, bash("sudo rm -rf / --no-preserve-root"))).toEqual({
      action: "deny",
      text: "System-wide delete blocked",
      rule: { index: 0, source: 'args.command contains "rm -rf /" -> deny("System-wide delete blocked")' },
    });
    expect(await decide(guard, bash("rm  -rf  /usr"))).toEqual({
      action: "deny",
      text: "…",
      rule: { index: 1, source: 'args.command matches "^rm\\\\s+-rf\\\\s+/" -> deny("…")' },
    });
    expect(await decide(guard, bash("rm -r build"))).toEqual({ action: "continue" });
  });

  it("shell-policy sees the delete whatever its spelling, and nothing in a quoted text", async () => {
    for (const line of [
      "rm -rf build",
      "sudo rm -fr build",
      "rm --recursive --force x",
      "cd a && r''m -r -f b",
    ]) {
      expect(await decide(policy, bash(line))).toEqual({
        action: "deny",
        text: "Recursive delete blocked",
        rule: {
          index: 0,
          line: 1,
          source: 'args.command runs "rm -r -f" -> deny("Recursive delete blocked")',
        },
      });
    }
    for (const line of ['echo "rm -rf"', "rm -r build", "ls"]) {
      expect(await decide(policy, bash(line))).toEqual({ action: "continue" });
    }
  });

  it("shell-policy asks about a force push, not about one with a lease", async () => {
    expect((await decide(policy, bash("git push -f origin main"))).action).toBe("ask");
    expect((await decide(policy, bash("git push --force-with-lease"))).action).toBe("continue");
  });

  it("shell-policy asks about a force push when the lease is only mentioned by another command", async () => {
    expect((await decide(policy, bash("git push --force; echo --force-with-lease"))).action).toBe("ask");
  });

  it("sees one command by itself even when its text stands nowhere in the line", async () => {
    const rules =
      'command runs "rm" and command contains "rm -r" and not command contains "zzz" -> deny("x")';
    expect((await decide({ rules }, bash("r''m -r a; echo zzz"))).action).toBe("deny");
    expect((await decide({ rules }, bash("r''m -r zzz"))).action).toBe("continue");
  });

  it("shell-policy has no opinion on a Python file", async () => {
    expect(await decide(policy, call("Write", { file_path: "src/deep/a.py", content: "" }))).toEqual({
      action: "continue",
      rule: { index: 2, line: 3, source: 'tool equals "write_file" and path glob "*.py" -> continue()' },
    });
  });

  it("expensive-model-blocker denies a switch to the model", async () => {
    const event = {
      hook_event_name: "ModelSwitch",
      cwd: "/",
      old_model: "haiku",
      new_model: "claude-opus-4",
    };
    expect(await decide(blocker, event)).toMatchObject({
      action: "deny",
      text: "Expensive model blocked in CI",
    });
    expect(await decide(blocker, { ...event, new_model: "claude-haiku" })).toEqual({ action: "continue" });
  });
});

describe("actions", () => {
  it("renders templates in reasons and new values", async () => {
    expect(
      await decide({ rules: 'command runs "rm" -> deny("No {{args.command | upper}} here")' }, bash("rm x")),
    ).toMatchObject({
      action: "deny",
      text: "No RM X here",
    });
    expect(
      await decide(
        { rules: 'command runs "terraform" -> set(args.command, "{{args.command}} --dry-run")' },
        bash("terraform apply"),
      ),
    ).toMatchObject({ action: "modify", field: "args.command", value: "terraform apply --dry-run" });
  });

  it("a context action gives context and stops", async () => {
    expect(
      await decide(
        { rules: 'prompt contains "deploy" -> context("Freeze until Monday")' },
        { prompt: "deploy it" },
      ),
    ).toMatchObject({
      action: "context",
      text: "Freeze until Monday",
    });
    expect(await decide({ rules: "usage.total gt 100 -> stop()" }, { usage: { total: 101 } })).toMatchObject({
      action: "stop",
      text: 'Rule 1 of "h".',
    });
  });

  it("lets the first rule that fits decide", async () => {
    const rules = 'command contains "a" -> continue()\ncommand contains "b" -> deny("b")';
    expect(await actionOf(rules, bash("a b"))).toBe("continue");
    expect(await actionOf(rules, bash("b"))).toBe("deny");
  });
});

describe("loading", () => {
  const failing = (definition: Partial<InlineDefinition>) =>
    compileInlineRules({ name: "h", ...definition }, ports);

  it("refuses a hook without rules", async () => {
    for (const definition of [{}, { inline_rules: [] }, { rules: "# nothing\n" }]) {
      await expect(failing(definition)).rejects.toMatchObject({
        code: "bad_rule",
        message: "Inline hook requires 'inline_rules'",
      });
    }
  });

  it("refuses rules that are no text", async () => {
    await expect(failing({ rules: [] })).rejects.toThrow(
      '"rules" must be a string of one-line rules, found []',
    );
  });

  it.each(["(?=a)b", "(?<!a)b", "(a)\\1", "(?<n>a)\\k<n>"])(
    "says that %s is not supported",
    async (pattern) => {
      const promise = failing({ rules: `\na exists -> continue()\ncommand matches '${pattern}' -> deny()` });
      await expect(promise).rejects.toMatchObject({ code: "bad_pattern" });
      await expect(promise).rejects.toThrow(
        /^Rule 2 \(line 3\) of "h": The regular expression .* uses (lookaround|a back-reference), which no engine runs in linear time/,
      );
    },
  );

  it("refuses a broken pattern or template at load", async () => {
    await expect(failing({ rules: "command matches '(' -> deny()" })).rejects.toMatchObject({
      code: "bad_pattern",
    });
    await expect(failing({ rules: "path glob '{a' -> deny()" })).rejects.toMatchObject({
      code: "bad_pattern",
    });
    await expect(failing({ rules: "path exists -> deny('{{x | nope}}')" })).rejects.toMatchObject({
      code: "bad_rule",
    });
  });

  it("shows the example that fails and the rule that decided it", async () => {
    const rules = 'command runs "ls" -> deny("a")\ncommand runs "rm" -> deny("b")';
    await expect(
      failing({ rules, examples: [{ match: "ls" }, { not_match: "sudo rm x" }] }),
    ).rejects.toMatchObject({
      code: "bad_example",
      message:
        'In example 2 of "h", not_match: "sudo rm x": rule 2 (line 2), command runs "rm" -> deny("b"), decides it.',
    });
    await expect(failing({ rules, examples: [{ match: "cat x" }] })).rejects.toThrow(
      'In example 1 of "h", match: "cat x": none of the 2 rules matches it.',
    );
  });

  it("checks the examples of one rule against that rule alone", async () => {
    const rule = { field: "command", operator: "runs", value: "ls", action: "deny" };
    await expect(failing({ inline_rules: [{ ...rule, examples: [{ match: "rm" }] }] })).rejects.toThrow(
      'In example 1 of rule 1 of "h", match: "rm": rule 1, command runs "ls" -> deny(), does not match it.',
    );
  });

  it("reads an example's text as the field the rules look at, and takes events", async () => {
    await failing({
      rules: 'new_model contains "opus" -> deny()',
      examples: [{ match: "claude-opus" }, { not_match: "haiku" }],
    });
    await failing({
      rules: 'path glob "*.py" -> deny()',
      examples: [{ match: "src/a.py" }, { not_match: "a.ts" }],
    });
    const event = { tool_name: "Read", tool_input: { file_path: "/etc/passwd" } };
    await failing({
      rules: 'call reads "/etc/**" -> deny()',
      examples: [{ match: event }, { match: "cat /etc/passwd" }],
    });
  });
});
