import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { judgedOf } from "../../../src/know/replay/judged.ts";
import { bash, claudeSession, HOOKS, PUSH, projectWith, record, replayed, withRecorded } from "./support.ts";

describe("what would be decided", () => {
  it("is reported in exactly this form", async () => {
    const project = projectWith();
    record(project, claudeSession([bash("ls"), PUSH, bash("echo inner")]));
    const rule = (text: string, counts: object) => ({
      hook: "no-force-push",
      rule: text,
      deny: 0,
      ask: 0,
      rewrite: 0,
      ...counts,
    });
    const push = 'command runs "git push --force" -> deny("Use --force-with-lease.")';
    const inner = 'command contains "inner" -> ask("In a subagent?")';
    const call = { agent: "claude", session: "s1", at: "2026-11-17T10:00:00.000Z", tool_name: "Bash" };
    expect(await replayed(project)).toEqual({
      sessions: 1,
      events: 3,
      unreadable: 0,
      would: { deny: 1, ask: 1, rewrite: 0, same: 1 },
      by_hook: [rule(push, { deny: 1 }), rule(inner, { ask: 1 })],
      changed: [
        {
          ...call,
          tool_input: { command: "git push --force" },
          now: { action: "deny", hook: "no-force-push", rule: push, reason: "Use --force-with-lease." },
        },
        {
          ...call,
          tool_input: { command: "echo inner" },
          now: { action: "ask", hook: "no-force-push", rule: inner, reason: "In a subagent?" },
        },
      ],
    });
  });

  it("counts rewrites and refused prompts", async () => {
    const project = projectWith(`hooks:
  definitions:
    - name: dry
      type: inline
      matcher: { events: [PreToolUse] }
      rules: command equals "./deploy.sh" -> set(args.command, "./deploy.sh --dry-run")
    - name: words
      type: inline
      matcher: { events: [UserPromptSubmit] }
      rules: prompt contains "begin" -> deny("Not now.")
`);
    await withRecorded(project, "pi");
    record(project, claudeSession([bash("./deploy.sh")]));
    const { would, changed } = await replayed(project);
    expect(would).toEqual({ deny: 1, ask: 0, rewrite: 1, same: 4 });
    expect(changed.map(({ tool_name, now }) => [tool_name, now.action, now.reason])).toEqual([
      ["Bash", "rewrite", undefined],
      ["UserPromptSubmit", "deny", "Not now."],
    ]);
  });

  it("counts a stop that a hook does not accept as denied", () => {
    const run = { name: "tests", handler: "module", event_id: "e", started_at: "2026-11-17T10:00:00.000Z" };
    const outcome = { action: "continue", keep_going: "Run the tests." } as const;
    const decision = {
      action: "continue",
      keep_going: { reason: "Run the tests." },
      context: [],
      user_messages: [],
      hook_inputs: [],
      runs: [{ ...run, duration_ms: 1, outcome }],
    } as const;
    expect(judgedOf({ decision, not_evaluated: [] })).toEqual({
      would: "deny",
      action: "deny",
      reason: "Run the tests.",
      because: [{ hook: "tests" }],
      is_judged: true,
      not_evaluated: [],
    });
  });

  it("about an equal call is asked again where a rule reads which session it was", async () => {
    const project = projectWith(`hooks:
  definitions:
    - name: one-session
      type: inline
      matcher: { events: [PreToolUse] }
      rules: session_id equals "s2" -> deny("Not in this session.")
`);
    for (const session of ["s1", "s2", "s3"])
      record(project, claudeSession([bash("ls"), bash("ls")], { session }), session);
    const { would, changed } = await replayed(project);
    expect(would).toEqual({ deny: 2, ask: 0, rewrite: 0, same: 4 });
    expect(changed.map(({ session }) => session)).toEqual(["s2", "s2"]);
  });

  it("is told in words, with the rules that act most often and the commands that nothing judged", async () => {
    const project = projectWith();
    record(project, claudeSession([PUSH, PUSH, bash("npm test"), bash("npm test"), bash("ls")]));
    const { stdout } = await project.run(["replay"]);
    expect(stdout.replaceAll(/ +$/gm, "")).toBe(`  Read           1 session, 5 events
  Would deny     2      in 1 session
  Would ask      0
  Unchanged      60 %

  Most often     deny        2  no-force-push  command runs "git push --force" -> deny("Use --force-with-lease.")

  Not looked at       2  npm test
                      1  ls

  tenterhook replay --html report.html shows each call.
  --save cases.yaml keeps them as tests.
`);
  });

  it("says so when there is nothing to replay", async () => {
    const { stdout, code } = await projectWith().run(["replay"]);
    expect({ stdout: stdout.trim().split(".")[0], code }).toEqual({
      stdout: "No recorded sessions here",
      code: 0,
    });
  });
});

describe("nothing is executed", () => {
  const CANARY = `${HOOKS}
    - name: canary
      type: command
      command: touch canary
      matcher: { events: [PreToolUse] }
`;

  it("by a replay: hooks that are programs are counted as not asked", async () => {
    const project = projectWith();
    await project.configure(parse(CANARY).hooks.definitions);
    record(project, claudeSession([bash("touch called"), PUSH], { cwd: project.cwd }));
    const { stdout } = await project.run(["replay"]);
    expect(stdout).toContain("canary was not asked about");
    expect(existsSync(join(project.cwd, "canary"))).toBe(false);
    expect(existsSync(join(project.cwd, "called"))).toBe(false);
  });

  it.each(["--config", "--against"])(
    "of a file that is named: %s loads none of its modules",
    async (option) => {
      const project = projectWith();
      record(project, claudeSession([PUSH]));
      project.write("canary.mjs", 'import { writeFileSync } from "node:fs";\nwriteFileSync("canary", "");\n');
      const hook = "{ name: canary, type: module, module: ./canary.mjs, matcher: { events: [PreToolUse] } }";
      const file = project.write("other.yaml", `hooks: { definitions: [${hook}] }\n`);
      const report = await replayed(project, option, file);
      expect(report.events).toBe(1);
      expect(existsSync(join(project.cwd, "canary"))).toBe(false);
    },
  );

  it("of a file that is named, not even with --run", async () => {
    const project = projectWith();
    const file = project.write("other.yaml", CANARY);
    const { code, stderr } = await project.run(["replay", "--run", "--config", file]);
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("configuration in force"),
    });
  });
});

describe("another configuration", () => {
  const STRICTER = HOOKS.replace("Use --force-with-lease.", "Never.").replace("ask(", "deny(");

  it("is tried in place of the one in force", async () => {
    const project = projectWith();
    record(project, claudeSession([PUSH, bash("echo inner")]));
    const other = project.write("other.yaml", STRICTER);
    expect((await replayed(project, "--config", other)).would).toMatchObject({ deny: 2, ask: 0 });
    const packs = project.write("packs.yaml", "hooks:\n  use: [git-safety]\n");
    expect((await replayed(project, "--config", packs)).by_hook[0]?.hook).toMatch(/^git-safety/);
  });

  it("is compared: newly stopped, newly let through, other reason", async () => {
    const project = projectWith();
    record(project, claudeSession([PUSH, bash("echo inner"), bash("ls")]));
    const other = project.write("other.yaml", STRICTER);
    const report = await replayed(project, "--config", other, "--against", ".tenterhook/hooks.yaml");
    expect(report.against).toEqual({ newly_stopped: 1, newly_let_through: 0, other_reason: 1 });
    expect(report.changed.map(({ now, against }) => [now.reason, against?.reason])).toEqual([
      ["Never.", "Use --force-with-lease."],
      ["In a subagent?", "In a subagent?"],
    ]);
    const back = await replayed(project, "--against", other);
    expect(back.against).toEqual({ newly_stopped: 0, newly_let_through: 1, other_reason: 1 });
  });

  it("that is wrong is shown at its line", async () => {
    const project = projectWith();
    project.write("wrong.yaml", "hooks:\n  definitions:\n    - name: a\n      type: nonsense\n");
    const { code, stderr } = await project.run(["replay", "--config", "wrong.yaml"]);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining("wrong.yaml:") });
  });
});

describe("what is written", () => {
  it("has no secrets, wherever it goes", async () => {
    const project = projectWith();
    const secret = `ghp_${"a1B2".repeat(9)}`;
    record(project, claudeSession([bash(`GH_TOKEN=${secret} git push --force`), bash(`echo ${secret}`)]));
    const all = [
      (await project.run(["replay", "--all"])).stdout,
      (await project.run(["replay", "--json", "--save", "saved.yaml"])).stdout,
      readFileSync(join(project.cwd, "saved.yaml"), "utf8"),
    ].join("\n");
    expect(all).toContain("git push --force");
    expect(all).not.toContain(secret);
  });

  it("as cases passes tenterhook test, each call once", async () => {
    const project = projectWith();
    await withRecorded(project, "claude", "codex", "opencode");
    record(project, claudeSession([PUSH, PUSH]));
    const { stderr } = await project.run(["replay", "--save", "saved.yaml"]);
    expect(stderr).toContain("saved.yaml has");
    const { stdout, code } = await project.run(["test", "--json", "saved.yaml"]);
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, failed: 0, not_evaluated: 0 });
    const { cases } = parse(readFileSync(join(project.cwd, "saved.yaml"), "utf8"));
    expect(
      cases.filter(
        ({ event }: { event: { tool_input: { command: string } } }) =>
          event.tool_input.command === "git push --force",
      ),
    ).toHaveLength(1);
  });
});
