import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { callBody, callReader, type HookCall } from "../../src/cli/hook/served/protocol.ts";
import { type DecideWarm, warmPool } from "../../src/cli/hook/served/warm/pool.ts";
import { PACKAGE_VERSION } from "../../src/node/package-version.ts";
import { eventually, isAlive, processesNamed } from "../support/processes.ts";
import { newProject, type Project, shellCall } from "./support/project.ts";
import { CLI } from "./support/run-cli.ts";
import {
  call,
  type ServedOptions,
  settledProject,
  start,
  stopDaemon,
  warmChildren,
} from "./support/served-project.ts";

const LIMIT = { timeout: 120_000 };

const JUDGE = {
  name: "judge",
  type: "command",
  command: ["node", "judge.cjs"],
  mode: "persistent",
  env: ["FLAVOUR"],
  matcher: { events: ["PreToolUse"] },
};
const NO_PUSH = {
  name: "no-push",
  type: "inline",
  matcher: { events: ["PostToolUse"] },
  rules: 'command contains "git push" -> context("Pushed.")',
};

/** Denies every command with its own process id; `slow` takes longer than the client waits without a sign, `hang` forever. */
const program = (word: string): string => `
const { appendFileSync } = require("node:fs");
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { request_id, tool_input: { command } } = JSON.parse(line);
  appendFileSync("asked", \`\${process.pid} \${command}\\n\`);
  const reason = [${JSON.stringify(word)}, process.env.FLAVOUR, process.pid].join(" ");
  const answer = () => console.log(JSON.stringify({ request_id, ok: false, reason }));
  if (command.startsWith("hang")) return;
  if (command.startsWith("slow")) setTimeout(answer, 4000);
  else answer();
});
`;

const read = callReader();
let calls = 0;
const shell = (command: string, more: object = {}): object => {
  calls += 1;
  return { ...shellCall(command), tool_use_id: `t${calls}`, ...more };
};

/** A project with the program, whose daemon keeps what hooks have loaded. */
async function judged(options: Pick<ServedOptions, "started"> = {}): Promise<Project> {
  const project = newProject();
  project.write("judge.cjs", program("first"));
  return settledProject([JUDGE, NO_PUSH], { ...options, project });
}

/** A project whose configuration is in the cache, without a daemon. */
async function cached(): Promise<Project> {
  const project = newProject();
  project.write("judge.cjs", program("first"));
  await project.configure([JUDGE]);
  await project.readConfig(shell("true"));
  return project;
}

/** The words of the reason for which a call is denied. */
async function reasonOf(project: Project, command = "true"): Promise<readonly string[]> {
  const { stdout } = await call(project, shell(command));
  const { permissionDecision, permissionDecisionReason } = JSON.parse(stdout).hookSpecificOutput;
  expect(permissionDecision).toBe("deny");
  return String(permissionDecisionReason).split(" ");
}

/** Waits until two calls were decided by the same process of the hook, and returns its id. */
async function warmProcess(project: Project): Promise<number> {
  let pid: string | undefined;
  await eventually(async () => {
    pid = (await reasonOf(project)).at(-1);
    expect((await reasonOf(project)).at(-1)).toBe(pid);
  });
  return Number(pid);
}

const asked = ({ cwd }: Project): readonly string[] =>
  readFileSync(join(cwd, "asked"), "utf8").trim().split("\n");

it(
  "a persistent program stays between calls with the same variables, until its file changes or the daemon ends",
  LIMIT,
  async () => {
    const project = newProject();
    const file = project.write("../config/tenterhook/judge.cjs", program("first"));
    project.environment.FLAVOUR = "sweet";
    await settledProject([NO_PUSH], { project, own: [{ ...JUDGE, command: ["node", file] }] });
    const sweet = await warmProcess(project);
    project.environment.FLAVOUR = "sour";
    expect(await reasonOf(project)).toEqual(["first", "sour", expect.not.stringMatching(`^${sweet}$`)]);
    await warmProcess(project);
    project.environment.FLAVOUR = "sweet";
    expect(await reasonOf(project)).toEqual(["first", "sweet", String(sweet)]);
    writeFileSync(file, program("second"));
    expect((await reasonOf(project))[0]).toBe("second");
    const pid = await warmProcess(project);
    expect(isAlive(pid)).toBe(true);
    await stopDaemon(project);
    await eventually(() => expect([isAlive(pid), warmChildren(project)]).toEqual([false, []]));
    expect((await reasonOf(project))[0]).toBe("second");
  },
);

it(
  "a program that is slow, is killed or hangs is asked once, and holds up no other call",
  LIMIT,
  async () => {
    const project = await judged();
    const begin = async (command: string) => {
      const pid = await warmProcess(project);
      const { child, result } = start(project, shell(command));
      await eventually(() => expect(asked(project)).toContain(`${pid} ${command}`));
      return { pid, child, result };
    };
    const slow = await begin("slow");
    const pushed = { ...shell("git push"), hook_event_name: "PostToolUse", tool_response: {} };
    expect((await call(project, pushed)).stdout).toContain("Pushed.");
    expect((await reasonOf(project))[0]).toBe("first");
    expect((await slow.result).stdout).toContain(String(slow.pid));
    expect(asked(project).filter((line) => line.endsWith(" slow"))).toEqual([`${slow.pid} slow`]);

    const killed = await begin("hang");
    process.kill(killed.pid, "SIGKILL");
    expect(JSON.parse((await killed.result).stdout).hookSpecificOutput).toMatchObject({
      permissionDecision: "deny",
      permissionDecisionReason: expect.stringContaining("SIGKILL"),
    });
    expect(asked(project).filter((line) => line.endsWith(" hang"))).toEqual([`${killed.pid} hang`]);

    const ended = await begin("hang");
    ended.child.kill("SIGTERM");
    await ended.result;
    await eventually(() => expect(isAlive(ended.pid)).toBe(false));
    expect((await reasonOf(project))[0]).toBe("first");
  },
);

it("a changed program must be trusted first, and is then started anew", LIMIT, async () => {
  const project = await judged();
  const pid = await warmProcess(project);
  project.write("judge.cjs", program("second"));
  const payload = { session_id: "s1", cwd: project.cwd, ...shell("true") };
  const here = await project.start(["hook"], JSON.stringify(payload));
  expect(here.stdout).toContain("judge.cjs");
  expect(await call(project, { ...payload, ...shell("true") })).toEqual(here);
  await project.run(["trust", "--yes"]);
  expect((await reasonOf(project))[0]).toBe("second");
  await eventually(() => expect(isAlive(pid)).toBe(false));
});

it("a program whose daemon is killed while it decides is asked once", LIMIT, async () => {
  const project = await judged({ started: true });
  const pid = await warmProcess(project);
  const { result } = start(project, shell("slowly"));
  await eventually(() => expect(asked(project)).toContain(`${pid} slowly`));
  const { stdout } = await project.run(["monitor", "status", "--json"]);
  process.kill(JSON.parse(stdout).pid, "SIGKILL");
  expect((await result).stdout).toContain(String(pid));
  expect(asked(project).filter((line) => line.endsWith(" slowly"))).toEqual([`${pid} slowly`]);
  await eventually(() => expect(isAlive(pid)).toBe(false));
  await eventually(() => expect(warmChildren(project)).toEqual([]));
});

it("a child that is killed, or shows no sign, harms no call", LIMIT, async () => {
  const project = newProject();
  project.write("judge.cjs", program("first"));
  await settledProject([{ ...JUDGE, timeout: 6 }, NO_PUSH], { project });
  const pid = await warmProcess(project);
  const [child] = warmChildren(project);
  if (child === undefined) throw new Error("There is no child.");
  process.kill(child, "SIGSTOP");
  const [word, , other] = await reasonOf(project);
  expect([word, other]).toEqual(["first", expect.not.stringMatching(`^${pid}$`)]);
  await eventually(() => expect(isAlive(child)).toBe(false));
  const next = await warmProcess(project);
  const { result } = start(project, shell("slow"));
  await eventually(() => expect(asked(project)).toContain(`${next} slow`));
  for (const one of warmChildren(project)) process.kill(one, "SIGKILL");
  expect((await result).stdout).toContain("first");
});

it("a child that has waited too long ends with its programs", LIMIT, async () => {
  const project = await cached();
  const decide = warmPool({ script: CLI, idle_milliseconds: 3000 });
  const pid = await decidedBy(project, decide);
  expect(isAlive(pid)).toBe(true);
  await eventually(() => expect(isAlive(pid)).toBe(false));
  expect(processesNamed(project.folder)).toEqual([]);
});

it("a child ends at its greatest age, however short it has waited", LIMIT, async () => {
  const project = await cached();
  const decide = warmPool({ script: CLI, most_milliseconds: 5000 });
  const pid = await decidedBy(project, decide);
  await eventually(() => expect(isAlive(pid)).toBe(false));
});

it("a child stays when nobody waits any more for the call it would get", LIMIT, async () => {
  const project = await cached();
  const decide = warmPool({ script: CLI, idle_milliseconds: 5000 });
  let pid = 0;
  await eventually(async () => {
    pid = await decidedBy(project, decide);
    expect(await decidedBy(project, decide)).toBe(pid);
  });
  const before = asked(project).length;
  const caller = { signal: AbortSignal.abort(), onSign: () => undefined };
  expect(await decide(newCall(project), WARM, caller)).toBeUndefined();
  expect(await decidedBy(project, decide)).toBe(pid);
  expect(asked(project)).toHaveLength(before + 1);
  await eventually(() => expect(isAlive(pid)).toBe(false));
});

it.each([
  [PACKAGE_VERSION, "is ready"],
  ["0.0.0", "ends"],
])("a child of a daemon of version %s %s", LIMIT, async (version, does) => {
  const { cwd, environment } = newProject();
  const child = fork(CLI, ["hook", "--serve", "--warm", version], { cwd, env: environment });
  const first = await Promise.race([
    once(child, "message").then(() => "is ready"),
    once(child, "exit").then(() => "ends"),
  ]);
  if (child.connected) child.disconnect();
  expect(first).toBe(does);
});

const WARM = { watch: { seconds: 30, text: "" }, runs_code: false };

function newCall({ cwd, environment }: Project): HookCall {
  const text = JSON.stringify({ session_id: "s1", cwd, ...shell("true") });
  const id = `call${String(calls).padStart(24, "0")}-1`;
  const given = read(Buffer.from(callBody({ id, cwd, variables: { environment }, text })));
  if (given === undefined) throw new Error("The call can't be read.");
  return given;
}

/** Has a pool decide calls until a child of it does, and returns the process of the hook. */
async function decidedBy(project: Project, decide: DecideWarm): Promise<number> {
  let reply: string | undefined;
  await eventually(async () => {
    const { signal } = new AbortController();
    reply = (await decide(newCall(project), WARM, { signal, onSign: () => undefined }))?.stdout;
    expect(reply).toBeDefined();
  });
  const { permissionDecisionReason } = JSON.parse(reply ?? "{}").hookSpecificOutput;
  return Number(permissionDecisionReason.split(" ").at(-1));
}
