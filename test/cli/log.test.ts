import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { hookHere } from "./support/decided-here.ts";
import { newProject, type Project, shellCall } from "./support/project.ts";
import { shownOn } from "./support/reported-agents.ts";
import { runCli } from "./support/run-cli.ts";

const MATCHER = { events: ["PreToolUse"] };
const HOOKS = [
  {
    name: "no-push",
    type: "inline",
    matcher: MATCHER,
    rules: 'command contains "git push" -> deny("Not from here.")',
  },
  { name: "careful", type: "inline", matcher: MATCHER, rules: 'command contains "deploy" -> ask("Sure?")' },
];

async function decided(...commands: readonly string[]): Promise<Project> {
  const project = newProject({ decidesHere: true });
  await project.configure(HOOKS);
  for (const command of commands) await project.hook({ ...shellCall(command), tool_use_id: command });
  return project;
}

const lines = async (project: Project, ...args: readonly string[]) =>
  (await project.run(["log", ...args])).stdout
    .trimEnd()
    .split("\n")
    .filter((line) => !line.startsWith("TIME "))
    .map((line) => line.replace(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d /, "").trim());

it("the log has titles above its columns in a pipe", async () => {
  const project = await decided("git push");
  expect((await project.run(["log"])).stdout).toMatch(
    /^TIME {17}AGENT {3}WHAT {2}CALL\n\S+ \S+ {2}claude {2}deny {2}Bash git push/,
  );
});

it("the log shows which call was decided, by which hook and why, and leaves out the rest", async () => {
  const project = await decided("git push", "ls", "deploy now");
  expect(await lines(project)).toEqual([
    "claude  deny  Bash git push  no-push: Not from here.",
    "claude  ask   Bash deploy now  careful: Sure?",
  ]);
  expect(await lines(project, "-v", "--verdict", "deny")).toEqual([
    "claude  deny  Bash git push  no-push: Not from here.",
    "no-push  deny: Not from here.",
    'rule 1: command contains "git push" -> deny("Not from here.")',
  ]);
  expect(await lines(project, "--stopped")).toEqual([
    "claude  deny  Bash git push  no-push: Not from here.",
    "",
    "1 of 3 calls were stopped.",
  ]);
  expect(await lines(project, "--verdict", "ask")).toHaveLength(1);
  expect(await lines(project, "--hook", "no-push")).toHaveLength(1);
  expect(await lines(project, "--agent", "codex")).toEqual([
    "Nothing to show for this project. Every project: --everywhere. Decisions without anything to say: --all.",
  ]);
  expect(await lines(project, "--all")).toHaveLength(3);
  expect(await lines(project, "-n", "1")).toEqual([
    "claude  ask  Bash deploy now  careful: Sure?",
    "",
    "The last 1; -n 10 shows more.",
  ]);
  const records = (await project.run(["log", "--json"])).stdout.trim().split("\n");
  expect(records.map((line) => JSON.parse(line).decision.action)).toEqual(["deny", "ask"]);
});

it("the log shows that an agent which can't ask has refused, and finds it with what was denied", async () => {
  const project = newProject({ decidesHere: true });
  await project.configure(HOOKS);
  const call = { tool_name: "run_shell_command", tool_input: { command: "deploy now" } };
  const file = "/home/dev/.gemini/chats/session.jsonl";
  const { stdout } = await project.hook({
    hook_event_name: "BeforeTool",
    timestamp: new Date().toISOString(),
    transcript_path: file,
    ...call,
  });
  expect(JSON.parse(stdout).reason).toMatch(
    /^Needs your OK, and .* can't ask, so it is refused\. Sure\? \[careful\]/,
  );
  expect(await lines(project, "--verdict", "deny")).toEqual([
    "gemini  ask → refused  run_shell_command deploy now",
    "careful: Gemini CLI does not support ask on BeforeTool. It is refused instead.",
  ]);
});

it("the log shows this project, or all of them", async () => {
  const project = await decided("git push");
  const { cwd, environment } = project;
  project.write("../other/.tenterhook/hooks.yaml", "hooks: {}");
  project.write("../config/tenterhook/hooks.yaml", JSON.stringify({ hooks: { definitions: [HOOKS[0]] } }));
  const other = join(cwd, "../other");
  await hookHere({ cwd: other, environment }, payload("git push other", other));
  const calls = async (folder: string, ...args: readonly string[]) =>
    (await runCli(folder, environment, "log", "--json", ...args)).stdout
      .split("\n")
      .flatMap((line) => (line === "" ? [] : [JSON.parse(line).event.tool_input.command]));
  expect(await calls(cwd)).toEqual(["git push"]);
  expect(await calls(other)).toEqual(["git push other"]);
  expect(await calls(cwd, "--everywhere")).toEqual(["git push", "git push other"]);
});

it("list, show and stats count what hooks did in this project; stats --all shows every project", async () => {
  const project = await decided("git push", "deploy now", "deploy later");
  const { cwd, environment } = project;
  project.write("../other/.tenterhook/hooks.yaml", "hooks: {}");
  project.write("../other/packages/one/readme.md", "");
  const other = join(cwd, "../other");
  const user = { hooks: { definitions: [HOOKS[0]] } };
  project.write("../config/tenterhook/hooks.yaml", JSON.stringify(user));
  await hookHere({ cwd: join(other, "packages/one"), environment }, payload("git push", other));
  const counts = async (folder: string, ...args: readonly string[]) => {
    const { stdout } = await runCli(folder, environment, ...args, "--json");
    const { hooks } = JSON.parse(stdout);
    const ours = (one: { readonly name: string }) => one.name.startsWith("tenterhook:");
    return hooks
      .filter((one: { readonly name: string }) => !ours(one))
      .map(({ name, project: of, runs, denials, asks }: Record<string, unknown>) =>
        [name, ...(of === undefined ? [] : [basename(String(of))]), runs, denials, asks].join(" "),
      );
  };
  expect(await counts(cwd, "stats")).toEqual(["careful 3 0 2", "no-push 3 1 0"]);
  expect(await counts(other, "stats")).toEqual(["no-push 1 1 0"]);
  expect(await counts(cwd, "log", "--stats", "--everywhere")).toEqual([
    "careful project 3 0 2",
    "no-push project 3 1 0",
    "no-push other 1 1 0",
  ]);
  expect(await counts(join(other, "packages/one"), "list")).toEqual(["no-push 1 1 0"]);
  const { stdout } = await runCli(cwd, environment, "stats");
  expect(stdout).toContain("3 decisions, 1 stopped, 2 asked about, in 1 session in this project since");
  const elsewhere = await runCli(join(cwd, ".."), environment, "stats");
  expect(elsewhere.stdout).toMatch(
    /^Nothing was recorded in this project since .* --everywhere: all projects\./,
  );
});

it.each([
  ["--hook", "no-push"],
  ["--agent", "codex"],
  ["--verdict", "deny"],
  ["-f"],
  ["-n", "3"],
  ["--stopped"],
])("sums take no %s, which chooses lines", async (...args) => {
  const project = await decided("git push");
  expect(await project.run(["log", "--stats", ...args])).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining(
      `${args[0] === "-f" ? "--follow" : args[0]} chooses lines of the log, and there are none with --stats or --costs.`,
    ),
  });
});

it("sums fit a terminal of 24 lines, and say what they leave out", async () => {
  const project = newProject();
  const lines = Array.from({ length: 6 * 12 }, (_, at) => {
    const time = new Date(Date.now() - (at % 6) * 86_400_000 - 60_000).toISOString();
    const name = `guard-${at % 12}`;
    const run = { name, handler: "inline", event_id: `e${at}`, started_at: time, duration_ms: 1 };
    const event = {
      hook_event_name: "PreToolUse",
      host: ["claude", "codex"][Math.floor(at / 6) % 2],
      cwd: project.cwd,
    };
    const denied = { decision: { action: "deny" }, runs: [{ ...run, outcome: { action: "deny" } }] };
    const head = { v: 1, type: "decision", time, session_id: "s1", event_id: `e${at}` };
    return JSON.stringify({ ...head, event, ...denied });
  });
  project.write("../state/tenterhook/journal/s1.jsonl", `${lines.join("\n")}\n`);
  const rows = await shownOn(80, project, "log", "--stats");
  expect(rows.length).toBeLessThanOrEqual(24);
  expect(rows.filter((row) => row.endsWith("-v shows them")).map((row) => row.trim())).toEqual([
    expect.stringMatching(/^\d+ more rows; -v shows them$/),
    expect.stringMatching(/^\d+ more hooks; -v shows them$/),
  ]);
});

function payload(command: string, cwd: string): string {
  return JSON.stringify({ ...shellCall(command), session_id: "s2", cwd, tool_use_id: "other" });
}

it("log -v shows the start of a rule that has hundreds of forms", async () => {
  const project = await newProject({ decidesHere: true });
  await project.configure([], { use: ["safe-shell"] });
  await project.hook(shellCall("npm publish"));
  const { stdout } = await project.run(["log", "-v"]);
  const rule = stdout.split("\n").find((line) => line.includes("rule 1: "));
  expect(rule).toMatch(/rule 1: command runs .*…$/);
  expect(rule?.length).toBeLessThan(160);
});
