import { describe, expect, it } from "vitest";
import { madeOnce } from "../support/made-once.ts";
import type { AtEnd } from "../support/temporary-folder.ts";
import { trustProject } from "../support/trust-project.ts";
import { newProject, type Project } from "./support/project.ts";

async function withPack(more: string, atEnd?: AtEnd): Promise<Project> {
  const project = newProject({ atEnd });
  project.write(".tenterhook/hooks.yaml", `hooks: { use: [safe-shell] }\n${more}`);
  await trustProject(project.cwd, project.environment);
  return project;
}

const pack = madeOnce((atEnd) => withPack("", atEnd));

async function decided(project: Project, ...args: readonly string[]) {
  const { stdout, stderr, code } = await project.run(["explain", ...args, "--json"]);
  if (code !== 0) return JSON.parse(stdout === "" ? stderr : stdout).error;
  const { decision, event } = JSON.parse(stdout);
  return [decision.action, event.tool_name, event.tool_input];
}

describe("explain says", () => {
  it("what decided first, then how the line was read, in eight lines", async () => {
    const project = pack();
    const { stdout } = await project.run(["explain", "cd app && rm -rf src > log.txt"]);
    expect(stdout.split("\n")).toEqual([
      "  ASK  cd app && rm -rf src > log.txt",
      "",
      "  safe-shell-files  .tenterhook/hooks.yaml:1, pack safe-shell",
      "  This deletes or empties files that no build can restore. Commit or copy them first, and name only what should go. (rule delete-work)",
      "",
      "  Runs      cd app · rm -rf src > log.txt",
      "  Deletes   app/src",
      "  Changes   app/log.txt",
      "  Silent    8 hooks had nothing to say; -v shows why",
      "",
    ]);
  });

  it("which result a hook gives in place of the tool", async () => {
    const project = newProject();
    project.write(
      ".tenterhook/hooks.yaml",
      `hooks:
  definitions:
    - { name: dry-run, type: inline, matcher: { events: [PreToolUse] }, rules: 'command contains "deploy" -> answer("It would deploy.")' }
`,
    );
    await trustProject(project.cwd, project.environment);
    const { stdout } = await project.run(["explain", "make deploy"]);
    expect(stdout).toMatch(
      /^ {2}ANSWER {2}make deploy\n\n {2}A hook gives the answer: "It would deploy\."\n/,
    );
    expect(stdout).toContain("  Also      dry-run gives answer\n");
  });

  it("what is unknown, and that no hook stops what none stops", async () => {
    const project = pack();
    const unknown = await project.run(["explain", 'eval "$X"']);
    expect(unknown.stdout).toContain("\n  Unknown   part of what it does is known only when it runs\n");
    const harmless = await project.run(["explain", "npm test"]);
    expect(harmless.stdout).toMatch(/^ {2}CONTINUE {2}npm test\n\n {2}No hook stops it\.\n/);
  });

  it("once what two hooks say", async () => {
    const project = newProject();
    project.write(".tenterhook/hooks.yaml", "hooks: { use: [safe-shell, git-safety] }\n");
    await trustProject(project.cwd, project.environment);
    const { stdout } = await project.run(["explain", "git stash clear"]);
    expect(stdout).toContain("\n  Also      git-safety-losses says the same\n");
    expect(stdout.match(/\(rule git-lose-recovery\)/g)).toHaveLength(1);
  });

  it("with -v of every hook whether it was asked, and why", async () => {
    const project = pack();
    const { stdout } = await project.run(["explain", "npm test", "-v"]);
    expect(stdout).toContain("\n  safe-shell-git          asked: it wants every PreToolUse\n");
  });

  it("what the mode of the permissions refuses, where no agent with a mode of its own is named", async () => {
    const project = await withPack("permissions: { mode: plan }\n");
    project.write("write.json", '{"tool_name": "Write", "tool_input": {"file_path": "a", "content": ""}}');
    project.write("read.json", '{"tool_name": "Read", "tool_input": {"file_path": "a"}}');
    const { stdout } = await project.run(["explain", "write.json"]);
    expect(stdout).toContain("  DENY  PreToolUse Write");
    expect(stdout).toContain(
      "in plan mode nothing is changed. So it is in tenterhook run; for others, add --agent.",
    );
    expect((await project.run(["explain", "read.json"])).stdout).toContain("  CONTINUE  PreToolUse Read");
    expect((await project.run(["explain", "touch a", "--agent", "claude"])).stdout).toContain("  CONTINUE");
    project.write(".tenterhook/hooks.yaml", "permissions: { mode: dont-ask, allow: ['Bash(ls)'] }\n");
    await trustProject(project.cwd, project.environment);
    expect(await decided(project, "touch a")).toEqual(["deny", "Bash", { command: "touch a" }]);
    expect(await decided(project, "ls")).toEqual(["allow", "Bash", { command: "ls" }]);
  });

  it("that a hook keeps the agent going, and which", async () => {
    const project = newProject();
    project.write(
      ".tenterhook/hooks.yaml",
      `hooks:
  definitions:
    - name: now
      type: inline
      matcher: { events: [Stop] }
      rules: last_assistant_message contains "later" -> keep_going("Do it now.")
`,
    );
    await trustProject(project.cwd, project.environment);
    project.write("stop.json", '{"hook_event_name": "Stop", "last_assistant_message": "I do it later."}');
    const { stdout } = await project.run(["explain", "stop.json"]);
    expect(stdout.split("\n")).toEqual([
      "  KEEP GOING  Stop",
      "",
      "  now  .tenterhook/hooks.yaml:3",
      "  Do it now.",
      "",
      '  Rule      1: last_assistant_message contains "later" -> keep_going("Do it now.")',
      "",
    ]);
  });

  it("with --dry that the permissions are asked", async () => {
    const project = await withPack('permissions: { deny: ["Bash(curl:*)"] }\n');
    const { stdout } = await project.run(["explain", "curl localhost", "--dry", "-v"]);
    expect(stdout).toContain("tenterhook:permissions");
  });

  it("what the permissions say, also without an agent", async () => {
    const project = await withPack('permissions: { deny: ["Bash(curl:*)"] }\n');
    const { stdout } = await project.run(["explain", "curl localhost"]);
    expect(stdout).toMatch(/^ {2}DENY {2}curl localhost\n\n {2}tenterhook:permissions\n/);
  });
});

describe("explain takes", () => {
  it.each(["cat package.json", "jq . < data.json", "./tool.json extra.json"])(
    "%s for a command",
    async (line) => {
      const project = pack();
      expect(await decided(project, line)).toEqual(["continue", "Bash", { command: line }]);
    },
  );

  it("a program of the project for a command, and a file with JSON for an event", async () => {
    const project = pack();
    project.write("build.sh", "#!/bin/sh\necho built\n");
    project.write("call", '{ "tool_name": "Read", "tool_input": { "file_path": "a.ts" } }');
    expect(await decided(project, "build.sh")).toEqual(["continue", "Bash", { command: "build.sh" }]);
    expect(await decided(project, "call")).toEqual(["continue", "Read", { file_path: "a.ts" }]);
  });

  it.each([
    ['{"tool":"Bash","command":"rm -rf src"}', ["ask", "Bash", { command: "rm -rf src" }]],
    ['{"command":"rm -rf src"}', ["ask", "Bash", { command: "rm -rf src" }]],
    ['{"tool":"Read","input":{"file_path":"a.ts"}}', ["continue", "Read", { file_path: "a.ts" }]],
    ["{ rm -rf src; }", ["ask", "Bash", { command: "{ rm -rf src; }" }]],
  ])("%s for the call it means", async (text, expected) => {
    expect(await decided(pack(), text)).toEqual(expected);
  });

  it("a file that is named as JSON for an event, also a broken one", async () => {
    const project = pack();
    project.write("broken.json", "tool: Bash\n");
    expect(await decided(project, "broken.json")).toMatchObject({ code: "invalid_event" });
  });

  it.each(["Stop", "PreToolUse"])("no bare event, such as %s, for a command", async (name) => {
    expect(await decided(pack(), name)).toEqual({
      code: "usage_error",
      message: `${name} is an event, not a shell command.`,
      hint: `Give it as JSON with what it is about: tenterhook explain '{ "hook_event_name": "${name}" }'. docs/reference/events.md has the fields.`,
    });
  });

  it.each(["{bad", "{tool_name: 'Bash'}", "{ tool: Bash }", "{'tool':'Bash'}", "{"])(
    "no broken JSON for a command: %s",
    async (text) => {
      expect(await decided(pack(), text)).toEqual({
        code: "invalid_event",
        message: expect.stringMatching(/^the event:1:\d+: /),
        hint: 'An event is one JSON object: { "tool_name": "Bash", "tool_input": { "command": "ls" } }.',
      });
    },
  );

  it.each(["{ ls; }", "{rm,-rf,src}", "{ :; }"])("the shell's own braces for a command: %s", async (line) => {
    expect((await decided(pack(), line)).slice(1)).toEqual(["Bash", { command: line }]);
  });

  it("no file of cases for a command, whether it is there or not", async () => {
    const project = pack();
    expect(await decided(project, "tests/x.yaml")).toEqual({
      code: "usage_error",
      message: "tests/x.yaml can't be read: there is no such file.",
      hint: "Name a file with the event as JSON, or - to read it from stdin.",
    });
    expect(await decided(project, ".tenterhook/hooks.yaml")).toMatchObject({
      code: "invalid_event",
      message: expect.stringMatching(/^\.tenterhook\/hooks\.yaml:1:1: /),
    });
  });

  it("no JSON that is no call, and says which form it takes", async () => {
    expect(await decided(pack(), '{"name":"Bash"}')).toEqual({
      code: "invalid_event",
      message: "the event: hook_event_name is missing.",
      hint: 'Give a shell command in quotes, or a call: { "tool_name": "Bash", "tool_input": { "command": "ls" } }.',
    });
  });

  it.each([
    [["rm", "-rf", "x"], "'rm -rf x'"],
    [["git", "status"], "'git status'"],
    [["grep", "-v", "a", "b"], "'grep -v a b'"],
  ])("no command without quotes: %j", async (words, quoted) => {
    const { stderr, code } = await newProject().run(["explain", ...words]);
    expect(code).toBe(2);
    expect(stderr).toContain(`The command has to be in quotes.\n  Quote it: tenterhook explain ${quoted}\n`);
  });
});

it("explain of a file names the option that it does not have", async () => {
  const { stderr, code } = await newProject().run(["explain", "e.json", "--all"]);
  expect([code, stderr]).toEqual([
    2,
    "Unknown option '--all'.\n  tenterhook explain --help shows the usage.\n",
  ]);
});

it("explain says that nothing stops a call where there are no hooks, and what a pack would do", async () => {
  const project = newProject();
  const said = async (line: string) => (await project.run(["explain", line])).stdout;
  expect(await said("rm -rf ~")).toBe(
    "  NOT STOPPED  rm -rf ~\n\n  There are no hooks here. The pack safe-shell would deny this: tenterhook init\n",
  );
  expect(await said("ls")).toContain("The pack safe-shell would let it pass, too");
});

it("explain says how a person allows what one rule refuses, but not what two hooks do", async () => {
  const project = newProject();
  const rule = {
    type: "inline",
    matcher: { events: ["PreToolUse"] },
    rules: 'command contains "push" -> deny("No.")',
  };
  await project.configure([{ ...rule, name: "no-push" }], { use: ["safe-shell"] });
  const said = async (line: string) => (await project.run(["explain", line])).stdout;
  expect(await said("rm -rf /")).toContain("  You may   allow it: tenterhook off delete-system --for 30m\n");
  expect(await said("push")).toContain("  You may   allow it: tenterhook off no-push --for 30m\n");
  expect(await said("rm -rf / # push")).not.toContain("You may");
  expect(await said("git status")).not.toContain("You may");
});
