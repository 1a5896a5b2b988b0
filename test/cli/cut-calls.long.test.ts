import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { kill } from "../support/faults/kill.ts";
import { eventually } from "../support/processes.ts";
import { newProject, type Project, shellCall } from "./support/project.ts";
import { daemonPid, servedProject, start } from "./support/served-project.ts";

const DENIED = {
  hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: "Not from here." },
};

/** A hook that waits in its first run until its daemon has been ended (`cut`), and refuses in every run. */
async function slowlyRefusing(more: object): Promise<Project> {
  const project = newProject();
  project.write(
    "slow.sh",
    'if [ ! -e began ]; then : > began; until [ -e cut ]; do sleep 0.1; done; fi\necho "Not from here." >&2; exit 2\n',
  );
  return servedProject(
    [{ name: "slow", type: "command", command: "sh slow.sh", matcher: { events: ["PreToolUse"] }, ...more }],
    { project },
  );
}

async function begun({ cwd }: Project): Promise<void> {
  await eventually(() => expect(existsSync(join(cwd, "began"))).toBe(true));
}

it.each([
  ["lets calls pass when it fails", { on_failure: "open" }],
  ["runs once", { once: true }],
])("a hook that %s still refuses when its daemon is killed while it runs", async (_, more) => {
  const project = await slowlyRefusing(more);
  const { result } = start(project, shellCall("git push"));
  await begun(project);
  kill(daemonPid(project));
  const { stdout } = await result;
  project.write("cut", "");
  expect(JSON.parse(stdout)).toMatchObject(DENIED);
});

it.each([
  ["lets calls pass when it fails", { on_failure: "open" }],
  ["runs once", { once: true }],
])("a hook that %s still refuses when its daemon is stopped while it runs", async (_, more) => {
  const project = await slowlyRefusing(more);
  const { result } = start(project, shellCall("git push"));
  await begun(project);
  const stopped = project.run(["daemon", "stop"]);
  const { stdout } = await result;
  project.write("cut", "");
  expect(JSON.parse(stdout)).toMatchObject(DENIED);
  expect((await stopped).code).toBe(0);
});
