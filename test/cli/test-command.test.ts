import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { newProject, type Project } from "./support/project.ts";

const HOOKS = `hooks:
  definitions:
    - name: no-force-push
      type: inline
      matcher: { events: [PreToolUse] }
      rules: |
        command runs "git push --force" -> deny("Use --force-with-lease.")
        command contains "staging" -> ask("Really?")
    - name: freeze
      type: inline
      matcher: { events: [UserPromptSubmit] }
      rules: prompt contains "deploy" -> context("There is a freeze.")
    - name: sandbox
      type: inline
      matcher: { events: [PreToolUse] }
      rules: command equals "./deploy.sh" -> set(args.command, "./deploy.sh --dry-run")
    - name: lint
      type: command
      command: touch ran; echo 'Lint first.' >&2; exit 2
      matcher: { events: [PreToolUse], tools: Write }
`;

const WRITE = { tool_name: "Write", tool_input: { file_path: "a.ts", content: "x" } };

/** A project with these cases, which nobody has trusted. */
function withCases(cases: unknown, hooks = HOOKS): Project {
  const project = newProject();
  project.write(".tenterhook/hooks.yaml", hooks);
  project.write(".tenterhook/tests/cases.yaml", typeof cases === "string" ? cases : stringify({ cases }));
  return project;
}

async function tested(project: Project, ...args: readonly string[]) {
  const { stdout, code } = await project.run(["test", "--json", ...args]);
  return { code, ...JSON.parse(stdout) };
}

/** The statuses of the cases in order. */
async function statuses(cases: readonly object[], ...args: readonly string[]): Promise<readonly string[]> {
  const { cases: results } = await tested(withCases(cases), ...args);
  return results.map(({ status }: { readonly status: string }) => status);
}

describe("a case passes", () => {
  it("when what it names was decided, and nothing else is compared", async () => {
    const cases = [
      { bash: "git push --force", expect: { action: "deny" } },
      { bash: "git push --force", expect: { reason: "/with-lease/", hook: "no-force-push" } },
      { bash: "git push --force", expect: { rule: "/^command runs/" } },
      { bash: ["ls", "npm test"], expect: { action: "continue", reason: false } },
      { event: { hook_event_name: "UserPromptSubmit", prompt: "deploy" }, expect: { context: "/freeze/" } },
      { bash: "./deploy.sh", expect: { input: { command: "./deploy.sh --dry-run" } } },
      { bash: "ls staging", expect: { action: "ask", reason: "Really?" } },
    ];
    expect(await statuses(cases)).toEqual(Array(8).fill("passed"));
  });

  it("for the payload of an agent, and for a recorded one in a file", async () => {
    const payload = {
      hook_event_name: "PreToolUse",
      session_id: "s",
      cwd: "/srv/shop",
      tool_name: "Bash",
      tool_input: { command: "git push --force" },
    };
    const project = withCases([
      { event: payload, agent: "claude", expect: { action: "deny" } },
      { event: "push.json", agent: "claude", expect: { action: "deny" } },
      { event: "none.json", expect: { action: "deny" } },
    ]);
    project.write(".tenterhook/tests/push.json", JSON.stringify(payload));
    const { cases } = await tested(project);
    expect(cases).toMatchObject([
      { status: "passed" },
      { status: "passed" },
      { status: "failed", problem: expect.stringContaining("none.json can't be read") },
    ]);
  });

  it("for events of one session, in which a once hook speaks once", async () => {
    const hooks = `hooks:
  definitions:
    - name: welcome
      type: inline
      once: true
      matcher: { events: [UserPromptSubmit] }
      rules: prompt matches "." -> context("Read AGENTS.md.")
`;
    const prompt = { hook_event_name: "UserPromptSubmit", prompt: "hello" };
    const sequence = [
      { event: prompt, expect: { context: "Read AGENTS.md." } },
      { event: prompt, expect: { context: false } },
    ];
    const { passed, failed } = await tested(withCases([{ sequence }, { sequence }], hooks));
    expect([passed, failed]).toEqual([2, 0]);
  });

  it("when it is an example of a rule", async () => {
    const hooks = `${HOOKS}      # more
    - name: no-mail
      type: inline
      matcher: { events: [PreToolUse] }
      rules: command runs "sendmail" -> deny("No mail.")
      examples: [{ match: sendmail ada@example.com }, { not_match: ls }]
`;
    const { cases } = await tested(withCases([{ bash: "ls", expect: { action: "continue" } }], hooks));
    expect(cases.map(({ name, status }: { name: string; status: string }) => [name, status])).toEqual([
      ["ls", "passed"],
      ["no-mail decides: sendmail ada@example.com", "passed"],
      ["no-mail leaves alone: ls", "passed"],
    ]);
  });
});

describe("a case that fails", () => {
  it("is shown with its line, what was expected, what came, and who took part", async () => {
    const { stdout, code } = await withCases(`cases:
  - bash: ls
    expect: { action: continue }
  - name: staging is free
    bash: ls staging
    expect: { action: continue, reason: /nobody/ }
`).run(["test"]);
    expect(code).toBe(1);
    expect(stdout.split("\n").slice(0, 6)).toEqual([
      "  ✗ staging is free  .tenterhook/tests/cases.yaml:4",
      "      action  - continue",
      "              + ask",
      "      reason  - /nobody/",
      "              + Really?",
      '      Hooks: no-force-push ask (command contains "staging" -> ask("Really?"))',
    ]);
    expect(stdout).toMatch(/\n {2}1 passed, 1 failed {2}1 file, \d+ ms\n$/);
  });

  it("is shown by GitHub at its line, and by a build server", async () => {
    const project = withCases([{ name: "a <b>", bash: "ls", expect: { action: "deny" } }]);
    const github = await project.run(["test", "--reporter", "github"]);
    expect(github.stdout).toContain(
      "::error file=.tenterhook/tests/cases.yaml,line=2::a <b>%0Aaction: expected deny, got continue\n",
    );
    const junit = await project.run(["test", "--reporter", "junit"]);
    expect(junit.stdout).toContain('<testsuites tests="1" failures="1" skipped="0"');
    expect(junit.stdout).toContain('name="a &lt;b&gt;"');
    expect(junit.code).toBe(1);
  });
});

describe("a hook that is a program", () => {
  const cases = [{ name: "lint", event: WRITE, expect: { action: "deny", reason: "Lint first." } }];

  it("is not started: its case counts as not evaluated", async () => {
    const project = withCases(cases);
    const { not_evaluated, failed, code, cases: results } = await tested(project);
    expect([not_evaluated, failed, code]).toEqual([1, 0, 1]);
    expect(results[0].hooks).toEqual([{ name: "lint", said: "not evaluated" }]);
    expect(existsSync(join(project.cwd, "ran"))).toBe(false);
  });

  it("has its words from a stub, as an object or as a program prints them", async () => {
    const stubbed = (stub: unknown, expected: object) => ({
      event: WRITE,
      stub: { lint: stub },
      expect: expected,
    });
    expect(
      await statuses([
        stubbed({ action: "deny", reason: "Not so." }, { action: "deny", reason: "Not so." }),
        stubbed('{"ok": true}', { action: "continue" }),
        stubbed({ action: "dney" }, { action: "deny", reason: "/dney/" }),
      ]),
    ).toEqual(["passed", "passed", "passed"]);
  });

  it("does not keep a refusal by rules from being certain", async () => {
    const hooks = `${HOOKS}    - name: no-ts
      type: inline
      matcher: { events: [PreToolUse], tools: Write }
      rules: path glob "**/*.ts" -> deny("No TypeScript.")
`;
    const { cases: results } = await tested(
      withCases(
        [
          { event: WRITE, expect: { action: "deny", reason: "No TypeScript." } },
          { event: WRITE, expect: { action: "continue" } },
        ],
        hooks,
      ),
    );
    expect(results.map(({ status }: { status: string }) => status)).toEqual(["passed", "failed"]);
  });
});

describe("a wrong file", () => {
  it.each([
    ["cases:\n  - bash: ls\n    expct: {}\n", 3, "expct"],
    ["cases:\n  - bash: ls\n    expect: { reason: '/(/' }\n", 3, "expect.reason"],
    ["cases:\n  - name: nothing\n", 2, "one of bash, event and sequence"],
    ["cases:\n  - bash: ls\n    agent: claude\n", 3, "no meaning for bash"],
    ["cases:\n  - bash: [\n", 3, ""],
    ["cases: []\n", 1, "cases"],
  ])("ends with 2 and its line: %j", async (text, line, word) => {
    const { code, stderr } = await withCases(text).run(["test"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(new RegExp(`tests/cases\\.yaml:${line}:`));
    expect(stderr).toContain(word);
  });

  it("is a configuration with an example that does not hold, at its line", async () => {
    const hooks = `hooks:
  definitions:
    - name: no-mail
      type: inline
      matcher: { events: [PreToolUse] }
      rules: command runs "sendmail" -> deny("No mail.")
      examples: [{ match: ls }]
`;
    const { code, stderr } = await withCases([{ bash: "ls", expect: { action: "continue" } }], hooks).run([
      "test",
    ]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/hooks\.yaml:\d+/)]);
  });
});

it("cases that expect nothing are not evaluated, and --update writes what is decided now", async () => {
  const project = withCases(`cases:
  - bash: git push --force # yes
  - { bash: ls }
  - bash: [ls, git push --force]
  # the end
`);
  expect(await tested(project)).toMatchObject({ passed: 0, not_evaluated: 4, code: 1 });
  const { stdout, stderr } = await project.run(["test", "--update"]);
  expect(stderr).toContain("Wrote 2 cases in .tenterhook/tests/cases.yaml.");
  expect(stdout).toContain("  2 passed, 2 not evaluated ");
  expect(stderr).toContain("the lines of case 3 are decided differently");
  expect(readFileSync(join(project.cwd, ".tenterhook/tests/cases.yaml"), "utf8")).toBe(`cases:
  - bash: git push --force # yes
    expect: { action: deny, reason: "Use --force-with-lease.", hook: "no-force-push" }
  - { bash: ls, expect: { action: continue } }
  - bash: [ls, git push --force]
  # the end
`);
  expect(await tested(project)).toMatchObject({ passed: 2, not_evaluated: 2 });
});

it("--update writes a refusal that is certain, whatever a hook that was not asked would say", async () => {
  const hooks = `${HOOKS}    - name: no-ts
      type: inline
      matcher: { events: [PreToolUse], tools: Write }
      rules: path glob "**/*.ts" -> deny("No TypeScript.")
`;
  const project = withCases([{ event: WRITE }], hooks);
  const { stdout, stderr, code } = await project.run(["test", "--update"]);
  expect([stderr, stdout, code]).toEqual([
    expect.stringContaining("Wrote 1 case in .tenterhook/tests/cases.yaml."),
    expect.stringMatching(/^ {2}1 passed {2}1 file, \d+ ms\n$/),
    0,
  ]);
});

it("a run that tests nothing is no success", async () => {
  const project = withCases([{ name: "list", bash: "ls", expect: { action: "continue" } }]);
  for (const more of [[], ["--reporter", "junit"]]) {
    const { stderr, code } = await project.run(["test", "--filter", "nosuch", ...more]);
    expect([stderr, code]).toEqual([
      'No case has "nosuch" in its name.\n  tenterhook test --json lists the names.\n',
      2,
    ]);
  }
  const { stderr, code } = await withCases([{ event: WRITE, expect: {} }]).run(["test"]);
  expect([stderr, code]).toEqual(["  No case was run, so this fails.\n", 1]);
});

it("--update leaves JSON valid, and says which files it can't write", async () => {
  const project = withCases([{ bash: "ls", expect: {} }]);
  const json = project.write("cases.json", '{ "cases": [{ "bash": "git push --force" }] }\n');
  const toml = project.write("cases.toml", '[[cases]]\nbash = "ls"\n');
  const { stderr } = await project.run(["test", "--update", "cases.json", "cases.toml"]);
  expect(JSON.parse(readFileSync(json, "utf8")).cases[0].expect).toEqual({
    action: "deny",
    reason: "Use --force-with-lease.",
    hook: "no-force-push",
  });
  expect(readFileSync(toml, "utf8")).toBe('[[cases]]\nbash = "ls"\n');
  expect(stderr).toContain("Wrote 1 case in cases.json.");
  expect(stderr).toContain("cases.toml: case 1 has to be written by hand; only YAML and JSON are updated.");
});

it("without cases shows one that passes with what init writes", async () => {
  const project = newProject();
  await project.run(["init"]);
  const { stdout } = await project.run(["test"]);
  const [, file = "", text = ""] = /Write (\S+):\n\n([\s\S]+)/.exec(stdout) ?? [];
  project.write(file, text);
  expect(await project.run(["test"])).toMatchObject({ code: 0, stdout: expect.stringContaining("1 passed") });
});

it("--coverage names the rules that no case reaches, by file and line", async () => {
  const project = withCases([
    { bash: ["git push --force", "./deploy.sh"], expect: {} },
    { event: { hook_event_name: "UserPromptSubmit", prompt: "deploy" }, expect: {} },
  ]);
  expect((await tested(project, "--coverage")).coverage).toEqual({
    rules: 4,
    reached: 3,
    missed: [
      {
        hook: "no-force-push",
        rule: 'command contains "staging" -> ask("Really?")',
        file: join(project.cwd, ".tenterhook/hooks.yaml"),
        line: 8,
      },
    ],
  });
});

it("cases are found beside every file of the configuration, or named, and chosen by a word", async () => {
  const project = withCases([{ name: "of the project", bash: "ls", expect: { action: "continue" } }]);
  project.write("../config/tenterhook/hooks.yaml", "hooks: { definitions: [] }\n");
  const mine = stringify({ cases: [{ name: "mine", bash: "ls", expect: { action: "continue" } }] });
  project.write("../config/tenterhook/tests/mine.yaml", mine);
  project.write("elsewhere/other.yaml", mine);
  const names = async (...args: readonly string[]) =>
    (await tested(project, ...args)).cases.map(({ name }: { name: string }) => name).sort();
  expect(await names()).toEqual(["mine", "of the project"]);
  expect(await names("--filter", "project")).toEqual(["of the project"]);
  expect(await names("elsewhere")).toEqual(["mine"]);
  const { code, stderr } = await project.run(["test", "nowhere.yaml"]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("There is no file or folder nowhere.yaml.")]);
});

it("without a case it shows how to write the first", async () => {
  const project = newProject();
  const { stdout, code } = await project.run(["test"]);
  expect([code, stdout]).toEqual([1, expect.stringContaining("Write .tenterhook/tests/first.yaml")]);
});
