import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { judgedOf } from "../../../src/know/replay/judged.ts";
import type { Project } from "../../cli/support/project.ts";
import { claudeSession, HOOKS, projectWith, replayed, withRecorded } from "./support.ts";

/** Writes a session into the place where Claude Code has them. */
function record(project: Project, text: string, name = "s1"): string {
  const file = join(project.folder, `home/.claude/projects/-home-dev-app/${name}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const bash = (command: string): readonly [string, object] => ["Bash", { command }];
const PUSH = bash("git push --force");

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
  As before      60.0 %

  Most often     deny        2  no-force-push     command runs "git push --force" -> deny("Use --force-with-lease.")

  Nothing judged      2  npm test
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

describe("which sessions", () => {
  it("are those of one agent, since a time, or of one project", async () => {
    const project = projectWith();
    await withRecorded(project, "codex");
    record(project, claudeSession([PUSH], { at: "2026-01-01T00:00:00.000Z", session: "old" }), "old");
    record(project, claudeSession([PUSH], { cwd: join(project.cwd, "below"), session: "here" }), "here");
    const sessions = async (...args: readonly string[]) =>
      (await replayed(project, ...args)).changed.map(({ session }) => session.slice(0, 4)).sort();
    expect(await sessions()).toEqual(["01a1", "01a1", "here", "old"]);
    expect(await sessions("--agent", "claude")).toEqual(["here", "old"]);
    expect(await sessions("--since", "2026-06-01", "--agent", "claude")).toEqual(["here"]);
    expect(await sessions("--project", ".")).toEqual(["here"]);
  });

  it("are files and folders that people name, of whatever agent they are", async () => {
    const project = projectWith();
    await withRecorded(project, "codex", "gemini", "qwen", "copilot", "pi", "opencode", "claude");
    const home = join(project.folder, "home");
    const { would, unreadable } = await replayed(project, home);
    expect({ deny: would.deny, unreadable }).toEqual({ deny: 7, unreadable: 0 });
  });

  it("have a name that leads somewhere, and an agent that is known", async () => {
    const project = projectWith();
    const { stderr, code } = await project.run(["replay", "nowhere"]);
    expect({ stderr, code }).toMatchObject({
      stderr: expect.stringContaining("no file or folder nowhere"),
      code: 2,
    });
    expect((await project.run(["replay", "--agent", "nobody"])).stderr).toContain(
      "Agents: tenterhook, claude",
    );
  });

  it("of the journal are left out where a transcript tells the same, and say what was decided then", async () => {
    const project = projectWith();
    const journal = join(project.folder, "state/tenterhook/journal");
    mkdirSync(journal, { recursive: true });
    const line = (session_id: string, action: string, command: string): string =>
      JSON.stringify({
        v: 1,
        type: "decision",
        time: "2026-11-17T09:00:00.000Z",
        session_id,
        event_id: "e",
        event: {
          hook_event_name: "PreToolUse",
          host: "cursor",
          cwd: "/srv",
          tool_name: "Bash",
          tool_input: { command },
        },
        decision: { action },
        runs: [],
      });
    const lines = [
      line("s1", "continue", "git push --force"),
      line("s2", "deny", "git push --force"),
      line("s2", "deny", "ls"),
      line("s2", "continue", "echo inner"),
    ];
    writeFileSync(join(journal, "all.jsonl"), `${lines.join("\n")}\n`);
    record(project, claudeSession([bash("ls")]));
    const { events, would, changed } = await replayed(project);
    expect({ events, would }).toEqual({ events: 4, would: { deny: 0, ask: 1, rewrite: 0, same: 3 } });
    expect(changed.map(({ agent, recorded, now }) => [agent, recorded?.action, now.action])).toEqual([
      ["cursor", "deny", "continue"],
      ["cursor", "continue", "ask"],
    ]);
  });
});

describe("files that can't be read as they are", () => {
  it("lose only the lines that are broken, which are named", async () => {
    const project = projectWith();
    const file = record(project, claudeSession([PUSH]));
    appendFileSync(
      file,
      `no JSON at all\n{"type":"assistant","message":{"con\n[1,2]\n\n${claudeSession([PUSH])}`,
    );
    // The last line is being written, or was cut off.
    appendFileSync(file, claudeSession([PUSH]).slice(0, 100));
    const { stdout, stderr } = await project.run(["replay", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ unreadable: 4, would: { deny: 2 } });
    expect(stderr.match(/s1\.jsonl:\d+/g)).toEqual(["s1.jsonl:2", "s1.jsonl:3", "s1.jsonl:4", "s1.jsonl:7"]);
  });

  it("are counted as a whole when no agent writes such files, or they are no database", async () => {
    const project = projectWith();
    const names = [
      project.write("notes.txt", "dear diary\n"),
      project.write("empty.jsonl", ""),
      project.write("other.jsonl", '{"hello":"world"}\n'),
      project.write("broken.db", `SQLite format 3\u0000${"x".repeat(5000)}`),
    ];
    const { stdout, stderr, code } = await project.run(["replay", "--json", ...names]);
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, events: 0, unreadable: 4 });
    for (const name of names) expect(stderr).toContain(name.split("/").at(-1));
  });

  it("have calls without an input, or with one that is no object, which no hook was asked about", async () => {
    const project = projectWith();
    record(project, claudeSession([["Bash", []], PUSH]));
    expect(await replayed(project)).toMatchObject({ events: 1, unreadable: 1, would: { deny: 1 } });
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
      (await project.run(["replay", "--json", "--html", "page.html", "--save", "saved.yaml"])).stdout,
      readFileSync(join(project.cwd, "page.html"), "utf8"),
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
