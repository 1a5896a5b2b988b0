import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { commentOn } from "../../doors/action/steps.mjs";
import { newProject, type Project } from "../cli/support/project.ts";
import { CLI } from "../cli/support/run-cli.ts";
import { claudeSession } from "../know/replay/support.ts";
import { ROOT } from "../repository/support/files.ts";
import { needs } from "../support/needs.ts";

const FOLDER = join(ROOT, "doors/action");

const Action = z.object({
  inputs: z.record(z.string(), z.object({ default: z.string() })),
  runs: z.object({
    using: z.literal("composite"),
    steps: z.array(
      z.object({
        name: z.string(),
        if: z.string().optional(),
        shell: z.literal("bash"),
        run: z.string(),
        env: z.record(z.string(), z.string()),
      }),
    ),
  }),
});

interface Ran {
  readonly name: string;
  readonly status: number | null;
  readonly output: string;
}

/** Runs the steps of the action as a runner does: expressions filled in, each in a shell, until one fails. */
function runAction(project: Project, given: Readonly<Record<string, string>>, pull = ""): readonly Ran[] {
  const { inputs, runs } = Action.parse(parse(readFileSync(join(FOLDER, "action.yml"), "utf8")));
  const values = new Map(
    Object.entries(inputs).map(([name, { default: usual }]) => [`inputs.${name}`, usual]),
  );
  for (const [name, value] of Object.entries(given)) values.set(`inputs.${name}`, value);
  values.set("github.event.pull_request.number", pull);
  const filled = (text: string) =>
    text.replaceAll(/\$\{\{ (.*?) \}\}/g, (_, name: string) => values.get(name) ?? `unknown ${name}`);
  const ran: Ran[] = [];
  for (const step of runs.steps) {
    const [, name = "", unwanted] = /^(\S+) != '(.*)'$/.exec(step.if ?? "") ?? [];
    if (step.if !== undefined && values.get(name) === unwanted) continue;
    const env = Object.fromEntries(Object.entries(step.env).map(([key, value]) => [key, filled(value)]));
    const { status, stdout, stderr } = spawnSync("bash", ["-e", "-c", filled(step.run)], {
      cwd: project.cwd,
      env: { ...project.environment, ...env, GITHUB_ACTION_PATH: FOLDER, GITHUB_BASE_REF: "main" },
      encoding: "utf8",
    });
    ran.push({ name: step.name, status, output: stdout + stderr });
    if (status !== 0) break;
  }
  return ran;
}

const config = (rule: string) => `hooks:
  definitions:
    - name: ours
      type: inline
      matcher: { events: [PreToolUse] }
      rules: |
        ${rule}
      examples:
        - { not_match: git status }
`;

/** A clone with a base branch, in which a branch changes the configuration. */
function pullRequest(before: string, after: string): Project {
  needs("git", "bash");
  const project = newProject();
  const { cwd, environment, folder } = project;
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...args], {
      cwd,
      env: environment,
      stdio: "pipe",
    });
  git("init", "--quiet", "--initial-branch=main");
  project.write(".tenterhook/hooks.yaml", before);
  const calls = [
    ["Bash", { command: "git push --force origin x" }],
    ["Bash", { command: "git status" }],
  ] as const;
  project.write("sessions/one.jsonl", claudeSession(calls, { cwd }));
  git("add", ".");
  git("commit", "--quiet", "-m", "base");
  git("clone", "--quiet", "--bare", cwd, join(folder, "origin.git"));
  git("remote", "add", "origin", join(folder, "origin.git"));
  project.write(".tenterhook/hooks.yaml", after);
  environment.TENTERHOOK_PROGRAM = CLI;
  environment.GITHUB_STEP_SUMMARY = join(folder, "summary.md");
  return project;
}

/** A `gh` that keeps what it is given in place of sending it. */
function keepComments({ folder, environment }: Project, there: readonly object[] = []): string {
  const bin = join(folder, "gh-bin");
  mkdirSync(bin);
  const kept = join(folder, "comment.md");
  writeFileSync(`${kept}.there`, JSON.stringify({ comments: there }));
  writeFileSync(
    join(bin, "gh"),
    `#!/bin/sh
echo "$@" >> '${kept}.args'
case "$1 $2" in
  "pr view") cat '${kept}.there' ;;
  "pr comment") cp "$5" '${kept}' ;;
  "api --method") cp "\${6#body=@}" '${kept}' ;;
esac
`,
  );
  chmodSync(join(bin, "gh"), 0o755);
  environment.PATH = [bin, process.env.PATH].join(delimiter);
  return kept;
}

const DENIES = config('command runs "git push --force" -> deny("Use --force-with-lease.")');

it("checks, tests, and comments which recorded calls the branch would decide differently", () => {
  const project = pullRequest(config('command runs "npm publish" -> ask("?")'), DENIES);
  const kept = keepComments(project);
  const ran = runAction(project, { sessions: "sessions", token: "t" }, "7");
  expect(ran.map(({ name, status, output }) => [name, status === 0 ? 0 : output])).toEqual([
    ["Check the configuration", 0],
    ["Test the hooks", 0],
    ["Replay against the base branch", 0],
  ]);
  const comment = readFileSync(kept, "utf8");
  expect(comment).toContain("of 2 recorded calls, 1 newly stopped, 0 newly let through");
  expect(comment).toContain("| <code>Bash git push --force origin x</code> | claude | continue | deny |");
  expect(comment).not.toContain("git status");
  expect(readFileSync(`${kept}.args`, "utf8")).toMatch(/^pr view 7 .*\npr comment 7 --body-file /);
  expect(readFileSync(join(project.folder, "summary.md"), "utf8")).toBe(comment);
  expect(readdirSync(join(project.cwd, ".tenterhook"))).toEqual(["hooks.yaml"]);
});

it("writes its own comment anew, and no other one", () => {
  const project = pullRequest(DENIES, DENIES);
  const comment = (id: number, body: string, viewerDidAuthor: boolean) => ({
    ...{ body, viewerDidAuthor, url: `https://host/o/r/pull/7#issuecomment-${id}` },
  });
  const mark = "<!-- tenterhook -->\nOld.";
  const kept = keepComments(project, [
    comment(1, mark, false),
    comment(2, mark, true),
    comment(3, "The preview is ready.", true),
  ]);
  runAction(project, { sessions: "sessions", token: "t" }, "7");
  expect(readFileSync(`${kept}.args`, "utf8")).toMatch(
    /^pr view 7 .*\napi --method PATCH repos\/\{owner\}\/\{repo\}\/issues\/comments\/2 /,
  );
  expect(readFileSync(kept, "utf8")).toContain("0 newly stopped");
});

it("ends when the base branch can't be read, and says nothing of it", () => {
  const project = pullRequest(DENIES, DENIES);
  const kept = keepComments(project);
  rmSync(join(project.folder, "origin.git"), { recursive: true });
  const [last] = runAction(project, { sessions: "sessions", token: "t" }, "7").slice(-1);
  expect([last?.name, last?.status]).toEqual(["Replay against the base branch", 1]);
  expect(last?.output).toContain("The base branch main can't be read.");
  expect(existsSync(kept)).toBe(false);
});

it("mentions nobody whom a recorded call names, and links nothing", () => {
  const verdict = (action: string) => ({ action });
  const call = { agent: "claude", tool_name: "Bash", tool_input: { command: "echo @team #1 </code>|`" } };
  const found = { events: 1, changed: [{ ...call, now: verdict("deny"), against: verdict("continue") }] };
  expect(commentOn(found, true)).toContain(
    "| <code>Bash echo &#64;team &#35;1 &#60;/code&#62;&#124;&#96;</code> | claude |",
  );
});

it("ends at a configuration that can't be read, and at an example that does not hold", () => {
  const broken = pullRequest(DENIES, config("command runs git -> deny"));
  expect(runAction(broken, {}).map(({ name, status }) => [name, status !== 0])).toEqual([
    ["Check the configuration", true],
  ]);
  const wrong = pullRequest(DENIES, DENIES);
  wrong.write(".tenterhook/tests/push.yaml", "cases:\n  - call: git push --force\n    expect: continue\n");
  const ran = runAction(wrong, {});
  expect(ran.map(({ name, status }) => [name, status === 0])).toEqual([
    ["Check the configuration", true],
    ["Test the hooks", false],
  ]);
});

it("comments on nothing without a token, or without sessions", () => {
  const project = pullRequest(DENIES, DENIES);
  const kept = keepComments(project);
  expect(runAction(project, { sessions: "sessions" }, "7").at(-1)?.output).toContain("0 newly stopped");
  expect(runAction(project, {}).map(({ name }) => name)).toEqual([
    "Check the configuration",
    "Test the hooks",
  ]);
  expect(existsSync(kept)).toBe(false);
});
