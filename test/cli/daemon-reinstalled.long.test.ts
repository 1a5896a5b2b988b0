import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { daemonPlace } from "../../src/monitor/report/daemon-place.ts";
import { isRunning } from "../../src/node/identity/process-identity.ts";
import { PACKAGE_VERSION } from "../../src/node/package-version.ts";
import { rulesHook } from "../support/hook-definitions.ts";
import { eventually } from "../support/processes.ts";
import { newProject, type Project, shellCall, stopDaemonAfterTest } from "./support/project.ts";
import { CLI } from "./support/run-cli.ts";
import { start } from "./support/served-project.ts";

const NO_PUSH = rulesHook("no-push", 'command contains "git push" -> deny("Not from here.")');
const DENIED = { code: 0, stdout: expect.stringContaining("Not from here."), stderr: "" };
/** More calls than the old daemon, a process and the new one need. */
const CALLS = 8;

/** Installs the built package into a folder of its own, under this version. */
function installed({ folder }: Project, version = PACKAGE_VERSION): string {
  const root = dirname(dirname(CLI));
  const copy = join(folder, `installed-${version}`);
  mkdirSync(copy);
  for (const part of ["dist", "schema", "package.json"])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  for (const name of readdirSync(join(copy, "dist"), { recursive: true, encoding: "utf8" })) {
    const file = join(copy, "dist", name);
    if (version === PACKAGE_VERSION || !name.endsWith(".cjs")) continue;
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(PACKAGE_VERSION, version));
  }
  return join(copy, "dist/tenterhook.cjs");
}

function daemonNow({ environment }: Project): { readonly pid?: unknown; readonly version?: unknown } {
  try {
    const { pid, version } = JSON.parse(readFileSync(daemonPlace(environment).info, "utf8"));
    return { pid, version };
  } catch {
    return {};
  }
}

/** A project whose calls may start a daemon, and a call that is always refused. */
async function refusing() {
  const project = newProject();
  stopDaemonAfterTest(project);
  await project.configure([NO_PUSH]);
  const environment = { ...project.environment };
  delete environment.TENTERHOOK_DAEMON;
  const push = async (program: string) =>
    expect(await start({ ...project, environment }, shellCall("git push"), program).result).toEqual(DENIED);
  return { project, push };
}

it("a daemon whose program is installed again is replaced, and no call fails meanwhile", async () => {
  const { project, push } = await refusing();
  const program = installed(project);
  await push(program);
  await eventually(() => expect(daemonNow(project).pid).toBeDefined());
  const before = daemonNow(project).pid;
  cpSync(program, `${program}.new`);
  renameSync(`${program}.new`, program);
  for (let calls = 0; calls < CALLS; calls += 1) await push(program);
  await eventually(async () => {
    await push(program);
    expect([undefined, before]).not.toContain(daemonNow(project).pid);
  });
});

it("a daemon whose installation is removed decides nothing any more and ends", async () => {
  const { project, push } = await refusing();
  const [program, other] = [installed(project), CLI];
  await push(program);
  await eventually(() => expect(daemonNow(project).pid).toBeDefined());
  const before = daemonNow(project).pid;
  // What it loads when it is needed; the program itself is still there.
  for (const part of ["commands", "chunks"]) rmSync(join(dirname(program), part), { recursive: true });
  for (let calls = 0; calls < CALLS; calls += 1) await push(other);
  await eventually(() => expect(isRunning(Number(before))).toBe(false));
});

it("a daemon of an older version is replaced by a newer client, and a newer one stays whatever older clients ask", async () => {
  const { project, push } = await refusing();
  const older = installed(project);
  const newer = installed(project, "99.0.0");
  await push(older);
  await eventually(() => expect(daemonNow(project).version).toBe(PACKAGE_VERSION));
  await eventually(async () => {
    await push(newer);
    expect(daemonNow(project).version).toBe("99.0.0");
  });
  const replacement = daemonNow(project);
  for (let calls = 0; calls < CALLS; calls += 1) {
    await push(older);
    await push(newer);
  }
  expect(daemonNow(project)).toEqual(replacement);
});
