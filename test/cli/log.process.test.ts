import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { eventually } from "../support/processes.ts";
import { newProject, type Project, shellCall } from "./support/project.ts";
import { CLI } from "./support/run-cli.ts";

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
  const project = newProject();
  await project.configure(HOOKS);
  for (const command of commands) await project.hook({ ...shellCall(command), tool_use_id: command });
  return project;
}

const lines = async (project: Project, ...args: readonly string[]) =>
  (await project.run(["log", ...args])).stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.replace(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d /, "").trim());

it("the log shows which call was decided, by which hook and why, and leaves out the rest", async () => {
  const project = await decided("git push", "ls", "deploy now");
  expect(await lines(project)).toEqual([
    "deny      claude    PreToolUse Bash git push",
    "no-push  deny: Not from here.",
    "ask       claude    PreToolUse Bash deploy now",
    "careful  ask: Sure?",
  ]);
  expect(await lines(project, "--verdict", "ask")).toHaveLength(2);
  expect(await lines(project, "--hook", "no-push")).toHaveLength(2);
  expect(await lines(project, "--agent", "codex")).toEqual([
    "Nothing to show. Decisions without anything to say: --all.",
  ]);
  expect(await lines(project, "--all")).toHaveLength(5);
  expect(await lines(project, "-n", "1")).toHaveLength(2);
  const records = (await project.run(["log", "--json"])).stdout.trim().split("\n");
  expect(records.map((line) => JSON.parse(line).decision.action)).toEqual(["deny", "ask"]);
}, 60_000);

it("the log follows, until it is interrupted", async () => {
  const project = await decided("git push");
  const { cwd, environment } = project;
  const following = spawn(process.execPath, [CLI, "log", "--follow"], { cwd, env: environment });
  onTestFinished(() => void following.kill("SIGKILL"));
  let text = "";
  following.stdout.on("data", (part) => {
    text += part;
  });
  await eventually(() => expect(text).toContain("git push"));
  await project.hook({ ...shellCall("deploy"), tool_use_id: "later" });
  await eventually(() => expect(text).toContain("careful  ask: Sure?"));
  following.kill("SIGINT");
  await once(following, "close");
  expect(text.match(/git push/g)).toHaveLength(1);
}, 60_000);
