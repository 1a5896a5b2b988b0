import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { endAfterTest, eventually } from "../support/processes.ts";
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
  const project = newProject({ decidesHere: true });
  await project.configure(HOOKS);
  for (const command of commands) await project.hook({ ...shellCall(command), tool_use_id: command });
  return project;
}

it("the log follows, until it is interrupted", async () => {
  const project = await decided("git push");
  const { cwd, environment } = project;
  const following = spawn(process.execPath, [CLI, "log", "--follow"], { cwd, env: environment });
  endAfterTest(following);
  let text = "";
  following.stdout.on("data", (part) => {
    text += part;
  });
  await eventually(() => expect(text).toContain("git push"));
  await project.hook({ ...shellCall("deploy"), tool_use_id: "later" });
  await eventually(() => expect(text).toContain("careful: Sure?"));
  following.kill("SIGINT");
  await once(following, "close");
  expect(text.match(/Bash git push/g)).toHaveLength(1);
});

it("the log that follows succeeds when its reader closes the pipe", async () => {
  const project = await decided("git push");
  const { cwd, environment } = project;
  const following = spawn(process.execPath, [CLI, "log", "--follow"], { cwd, env: environment });
  endAfterTest(following);
  const closed = once(following, "close");
  await once(following.stdout, "data");
  following.stdout.destroy();
  await project.hook({ ...shellCall("deploy"), tool_use_id: "later" });
  expect(await closed).toEqual([0, null]);
});
