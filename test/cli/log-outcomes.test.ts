import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { processScreen } from "../../src/cli/command-line/screen/screen.ts";
import { runCommandLine } from "../../src/cli/run-command-line.ts";
import { newProject, type Project } from "./support/project.ts";

interface Line {
  readonly event?: object;
  readonly decision?: object;
  readonly happened?: object;
  readonly runs?: readonly object[];
  readonly session?: string;
  readonly cwd?: string;
}

/** A project with these decisions in its journal, a second apart in a minute of the same day. */
function recorded(...lines: readonly Line[]): Project {
  const project = newProject();
  const begin = Math.floor(Date.now() / 60_000 - 1) * 60_000;
  const texts = lines.map(
    ({ event, decision, happened, runs = [], session = "s1", cwd = project.cwd }, at) => {
      const time = new Date(begin + at * 1000).toISOString();
      const run = { handler: "inline", event_id: `e${at}`, started_at: time, duration_ms: 1 };
      return JSON.stringify({
        v: 1,
        type: "decision",
        time,
        session_id: session,
        event_id: `e${at}`,
        event: { hook_event_name: "PreToolUse", host: "claude", cwd, ...event },
        decision: { action: "continue", ...decision },
        ...(happened === undefined ? {} : { happened }),
        runs: runs.map((one) => ({ ...run, ...one })),
      });
    },
  );
  project.write("../state/tenterhook/journal/s1.jsonl", `${texts.join("\n")}\n`);
  return project;
}

const bash = (command: string, tool_use_id = command) => ({
  tool_name: "Bash",
  tool_input: { command },
  tool_use_id,
});

async function log(project: Project, ...args: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await project.run(["log", ...args]);
  return stdout
    .trimEnd()
    .split("\n")
    .filter((line) => !line.startsWith("TIME "))
    .map((line) => line.replace(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}/, "").replaceAll(/ {2,}/g, "  "));
}

const ASKS = { name: "careful", outcome: { action: "ask", reason: "Publish?" } };
const asked = { decision: { action: "ask", reason: "Publish?" }, runs: [ASKS] };

it("says of a question whether it was refused or allowed, and by whom", async () => {
  const project = recorded(
    { event: bash("npm publish", "t1"), ...asked },
    {
      event: {
        hook_event_name: "PermissionDenied",
        ...bash("npm publish", "t1"),
        reason: "The user refused this call: not today",
        by: "user",
      },
    },
    { event: bash("npm publish --tag next", "t2"), ...asked },
    { event: { hook_event_name: "PostToolUse", ...bash("npm publish --tag next", "t2") } },
    { event: bash("npm publish --dry", "t3"), ...asked },
    {
      event: { hook_event_name: "PermissionRequest", ...bash("make release", "t4") },
      happened: { action: "deny", reason: "This call was refused by Anna: later" },
    },
  );
  expect(await log(project)).toEqual([
    "claude  ask → refused  Bash npm publish  careful: The user refused this call: not today",
    "claude  ask → allowed  Bash npm publish --tag next  careful: Allowed: it ran.",
    "claude  ask  Bash npm publish --dry  careful: Publish?",
    "claude  refused  Bash make release  This call was refused by Anna: later",
  ]);
  expect((await log(project, "--verdict", "deny")).map((line) => line.split("  ")[1])).toEqual([
    "ask → refused",
    "refused",
  ]);
});

it("says what a person has answered, and after how long", async () => {
  const approval = (by: string, more: object = {}) => ({ approval: { by, asked_ms: 4200, ...more } });
  const project = recorded(
    { event: bash("npm publish", "t1"), ...asked },
    { event: { hook_event_name: "PostToolUse", ...bash("npm publish", "t1"), ...approval("user") } },
    { event: bash("npm publish --tag next", "t2"), ...asked },
    {
      event: {
        hook_event_name: "PermissionDenied",
        ...bash("npm publish --tag next", "t2"),
        reason: "The user refused this call: not today",
        by: "user",
        ...approval("Anna", { words: "not today" }),
      },
    },
    { event: { hook_event_name: "PostToolUse", ...bash("make release", "t3"), ...approval("user") } },
    {
      event: { hook_event_name: "PermissionRequest", ...bash("make all", "t4") },
      happened: {
        action: "deny",
        reason: "This call was refused by root: later",
        person: { by: "user", asked_ms: 130_000, words: "later" },
      },
    },
  );
  expect(await log(project)).toEqual([
    "claude  ask → allowed  Bash npm publish  careful: allowed by you after 4 s",
    "claude  ask → refused  Bash npm publish --tag next  careful: refused by Anna after 4 s: not today",
    "claude  allowed  Bash make release  allowed by you after 4 s",
    "claude  refused  Bash make all  refused by you after 2 min: later",
  ]);
});

it("shows calls that rules of permissions refused, which no hook was asked about", async () => {
  const refused = {
    hook_event_name: "PermissionDenied",
    host: "tenterhook",
    ...bash("rm x"),
    reason: "Bash(rm *) forbids it.",
    by: "rule",
  };
  expect(await log(recorded({ event: refused }), "--verdict", "deny")).toEqual([
    "tenterhook  refused  Bash rm x  Bash(rm *) forbids it.",
  ]);
});

it("says why a turn goes on, and what was added or changed: none of these is nothing", async () => {
  const project = recorded(
    {
      event: { hook_event_name: "Stop" },
      decision: { keep_going: { reason: "2 tests fail." } },
      runs: [{ name: "tests-pass", outcome: { action: "continue", keep_going: "2 tests fail." } }],
    },
    {
      event: { hook_event_name: "UserPromptSubmit", prompt: "hello" },
      decision: { context: [{ text: "It is Monday.", hook: "day" }] },
      runs: [{ name: "day", outcome: { action: "continue", context: ["It is Monday."] } }],
    },
    {
      event: bash("npm i"),
      decision: { input: { command: "npm ci" } },
      runs: [{ name: "ci", outcome: { action: "continue", rewrite: true, reason: "Locked." } }],
    },
    { event: bash("x"), runs: [{ name: "broken", failure: { kind: "timeout", message: "No answer." } }] },
  );
  expect(await log(project)).toEqual([
    "claude  keep-going  Stop  tests-pass: 2 tests fail.",
    "claude  context  UserPromptSubmit hello  day: It is Monday.",
    "claude  rewrite  Bash npm i  ci",
    "claude  failed  Bash x  broken: failed (timeout): No answer.",
  ]);
  expect(await log(project, "--verdict", "keep-going")).toHaveLength(1);
  expect(await log(project, "--verdict", "context")).toHaveLength(1);
  expect(await log(project, "--verdict", "deny")).toEqual([expect.stringContaining("Nothing to show")]);
});

it("names project and session where it shows all projects", async () => {
  const project = recorded(
    { event: bash("a"), decision: { action: "deny" }, runs: [{ name: "g", outcome: { action: "deny" } }] },
    {
      event: bash("b"),
      cwd: "/elsewhere/api",
      session: "0123456789",
      decision: { action: "deny" },
      runs: [{ name: "g", outcome: { action: "deny" } }],
    },
  );
  expect(await log(project, "--everywhere")).toEqual([
    `claude in ${basename(project.cwd)} s1  deny  Bash a  g`,
    "claude in api 6789  deny  Bash b  g",
  ]);
});

it("shows a call that was stopped and why as a whole, below the day", async () => {
  const command = "git push --force-with-lease origin feature/a-rather-long-name-of-a-branch";
  const reason = "Use a pull request, since the branch is protected and nobody may push to it from here.";
  const project = recorded(
    ...["one", "two"].map((name) => ({
      event: bash(`${command} ${name}`),
      decision: { action: "deny", reason },
      runs: [
        {
          name: "no-force-push",
          outcome: { action: "deny", reason },
          rule: { index: 0, source: 'command runs "git push --force" -> deny("…")' },
        },
      ],
    })),
  );
  const printed: string[] = [];
  const stream = { isTTY: true, columns: 80, rows: 24, write: (text: string) => printed.push(text) };
  const environment = { ...project.environment, NO_COLOR: "1", HOME: join(project.folder, "home") };
  const screen = processScreen(environment, { stdout: stream, stderr: stream, stdin: {} });
  await runCommandLine(["log"], { screen, cwd: project.cwd, environment });
  const lines = printed.join("").trimEnd().split("\n");
  const stop = (name: string): readonly string[] => [
    "  10:00  claude  deny  Bash git push --force-with-lease origin",
    `                       feature/a-rather-long-name-of-a-branch ${name}`,
    "         no-force-push: Use a pull request, since the branch is protected and",
    "         nobody may push to it from here.",
  ];
  expect(lines.map((line) => line.replace(/\d\d:\d\d/, "10:00"))).toEqual([
    "  TIME   AGENT   WHAT  CALL",
    "  Today",
    ...stop("one"),
    ...stop("two"),
  ]);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
});
