import { cpSync, mkdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { daemonPlace } from "../../src/monitor/report/daemon-place.ts";
import { eventually } from "../support/processes.ts";
import { newProject, type Project, shellCall, stopDaemonAfterTest } from "./support/project.ts";
import { CLI } from "./support/run-cli.ts";
import { start } from "./support/served-project.ts";

const NO_PUSH = {
  name: "no-push",
  type: "inline",
  matcher: { events: ["PreToolUse"] },
  rules: 'command contains "git push" -> deny("Not from here.")',
};
const DENIED = { code: 0, stdout: expect.stringContaining("Not from here."), stderr: "" };
/** More calls than the old daemon, a process and the new one need. */
const CALLS = 8;

/** Installs the built package into a folder of its own. */
function installed({ folder }: Project): string {
  const root = dirname(dirname(CLI));
  const copy = join(folder, "installed");
  mkdirSync(copy);
  for (const part of ["dist", "schema", "package.json"])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  return join(copy, "dist/tenterhook.cjs");
}

function daemonNow({ environment }: Project): unknown {
  try {
    return JSON.parse(readFileSync(daemonPlace(environment).info, "utf8")).pid;
  } catch {
    return undefined;
  }
}

it("a daemon whose program is installed again is replaced, and no call fails meanwhile", {
  timeout: 120_000,
}, async () => {
  const project = newProject();
  stopDaemonAfterTest(project);
  await project.configure([NO_PUSH]);
  const program = installed(project);
  const environment = { ...project.environment };
  delete environment.TENTERHOOK_DAEMON;
  const push = async () =>
    expect(await start({ ...project, environment }, shellCall("git push"), program).result).toEqual(DENIED);
  await push();
  await eventually(() => expect(daemonNow(project)).toBeDefined());
  const before = daemonNow(project);
  cpSync(program, `${program}.new`);
  renameSync(`${program}.new`, program);
  for (let calls = 0; calls < CALLS; calls += 1) await push();
  await eventually(async () => {
    await push();
    expect([undefined, before]).not.toContain(daemonNow(project));
  });
});
