import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { eventually, isAlive, processesNamed } from "../support/processes.ts";
import { shared } from "../support/shared.ts";
import type { AtEnd } from "../support/temporary-folder.ts";
import { newProject, type Project, shellCall } from "./support/project.ts";
import type { CliResult } from "./support/run-cli.ts";
import { call, settledProject, start, stopDaemon, warmChildren } from "./support/served-project.ts";

const LIMIT = { timeout: 120_000 };

const EVENTS = ["PreToolUse", "PostToolUse", "claude:TaskCreated"];
const MODULE = {
  name: "guard",
  type: "module",
  module: "guard.mjs",
  timeout: 5,
  matcher: { events: EVENTS },
};

/** A hook of another kind at the same event. */
const SHELL = {
  name: "shell",
  type: "command",
  command: "if grep -q by-shell; then echo 'Not by shell.' >&2; exit 2; fi",
  matcher: { events: ["PreToolUse"] },
};

/** What the module does about a command. It writes each command down with its process first. */
const GUARD = `
import { spawn } from "node:child_process";
import { appendFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { word } from "./word.mjs";

const folder = process.cwd();
const note = (line) => appendFileSync(join(folder, "asked"), process.pid + " " + line + "\\n");
const never = new Promise((resolve) => setTimeout(resolve, 60_000));
let calls = 0;
let awaited = false;

export default async ({ tool_input, task_subject, choice }, { signal }) => {
  calls += 1;
  const command = tool_input?.command ?? task_subject;
  note(command);
  const deny = (...words) => ({ type: "deny", reason: words.join(" ") });
  if (command === "count") return deny(word, calls, process.pid);
  if (command === "deny") return deny("No.");
  if (command === "context") return { type: "context", text: "Look out." };
  if (command === "rewrite") return { type: "rewrite", next: { command: "true" } };
  if (command === "throw") throw new Error("It broke.");
  if (command === "no answer") return 42;
  if (command === "print") {
    console.log("from the module");
    writeSync(1, "more from it\\n");
    return deny("Printed.");
  }
  if (command === "ask") {
    if (choice === undefined) return { type: "ask", reason: "Where?", options: ["staging", "production"] };
    return deny("Not to", choice);
  }
  if (command === "exit") process.exit(0);
  if (command === "late") {
    setTimeout(() => { throw new Error("late"); });
    await never;
  }
  // What it leaves fails as soon as a later call asks for it.
  if (command === "leave") setInterval(() => { if (awaited) throw new Error("left over"); }, 10);
  if (command === "meet") {
    awaited = true;
    await new Promise((resolve) => setTimeout(resolve, 500));
    return deny("Met.");
  }
  if (command === "mess up") {
    process.env.FLAVOUR = "sour";
    delete process.env.HOME;
    process.chdir("/");
  }
  if (command === "where") return deny(process.cwd(), process.env.FLAVOUR, process.env.HOME);
  if (command === "wait") {
    signal.addEventListener("abort", () => note("aborted"));
    await never;
  }
  if (command === "block") {
    spawn("sleep", ["61"], { detached: true, stdio: "ignore" });
    for (;;);
  }
};
`;

const COMMANDS = [
  ["deny", "context", "rewrite", "throw", "no answer", "print", "mess up", "where", "by-shell", "true"],
  // Each of these ends the process that decides.
  ["exit", "late"],
] as const;

let calls = 0;
const shell = (command: string, more: object = {}): object => {
  calls += 1;
  return { ...shellCall(command), tool_use_id: `t${calls}`, ...more };
};

function guarded(atEnd?: AtEnd): Project {
  const project = newProject(atEnd && { atEnd });
  project.write("guard.mjs", GUARD);
  project.write("word.mjs", 'export const word = "first";\n');
  return project;
}

/** The words of the reason for which `count` is denied: a word of another file, how often the module was asked, and its process. */
async function counted(project: Project): Promise<readonly string[]> {
  const { stdout } = await call(project, shell("count"));
  return JSON.parse(stdout).hookSpecificOutput.permissionDecisionReason.split(" ");
}

/** Waits until a child decides two calls, and returns it: one that has read a young file is replaced. */
async function warmChild(project: Project): Promise<number> {
  let pid = 0;
  await eventually(async () => {
    pid = Number((await counted(project))[2]);
    expect(warmChildren(project)).toContain(pid);
    expect((await counted(project))[2]).toBe(String(pid));
  });
  return pid;
}

const asked = ({ cwd }: Project): readonly string[] =>
  readFileSync(join(cwd, "asked"), "utf8").trim().split("\n");

/** Decides without the daemon. */
function decidedHere(project: Project, payload: object): Promise<CliResult> {
  return project.start(["hook"], JSON.stringify({ session_id: "s1", cwd: project.cwd, ...payload }));
}

const served = shared((atEnd) =>
  settledProject([MODULE, SHELL], { project: guarded(atEnd), on_prompt: "answer", atEnd }),
);

it("a module that stays loaded answers as it does without the daemon", LIMIT, async () => {
  const project = served();
  const pid = await warmChild(project);
  for (const command of COMMANDS[0]) {
    const here = await decidedHere(project, shell(command));
    expect([command, await call(project, shell(command))]).toEqual([command, here]);
    expect(asked(project)).toContain(`${pid} ${command}`);
  }
  const task = { hook_event_name: "TaskCreated", task_id: "1", task_subject: "deny" };
  const here = await decidedHere(project, task);
  expect([here.code, await call(project, { ...task, task_id: "2" })]).toEqual([2, here]);
  for (const command of COMMANDS[1]) {
    const child = await warmChild(project);
    const refused = await decidedHere(project, shell(command));
    expect([command, await call(project, shell(command))]).toEqual([command, refused]);
    expect(asked(project)).toContain(`${child} ${command}`);
    await eventually(() => expect(isAlive(child)).toBe(false));
  }
});

it("a module that asks with options gets the choice, and holds up no other call", LIMIT, async () => {
  const project = served();
  const pid = await warmChild(project);
  const { result } = start(project, shell("ask"));
  let id = "";
  await eventually(async () => {
    const { decisions } = JSON.parse((await project.run(["decisions", "--json"])).stdout);
    id = decisions[0].id;
  });
  expect((await counted(project))[0]).toBe("first");
  await project.run(["decisions", "resolve", id, "staging"]);
  expect((await result).stdout).toContain("Not to staging");
  expect(asked(project).filter((line) => line.endsWith(" ask"))).toEqual([`${pid} ask`, `${pid} ask`]);
});

it("a module that blocks its process refuses one call, and leaves nothing", LIMIT, async () => {
  const project = served();
  const pid = await warmChild(project);
  expect(await call(project, shell("block"))).toEqual({
    code: 137,
    stdout: "",
    stderr: expect.stringContaining("Code of a hook may have blocked or killed it: guard."),
  });
  expect(asked(project).filter((line) => line.endsWith(" block"))).toEqual([`${pid} block`]);
  await eventually(() => expect(processesNamed("sleep\x0061")).toEqual([]));
  expect(await warmChild(project)).not.toBe(pid);
});

it("code that a module has left running harms no later call", LIMIT, async () => {
  const project = served();
  const pid = await warmChild(project);
  await call(project, shell("leave"));
  const here = await decidedHere(project, shell("meet"));
  expect(here.stdout).toContain("Met.");
  expect(await call(project, shell("meet"))).toEqual(here);
  expect(asked(project)).toContain(`${pid} leave`);
  expect(asked(project)).toContain(`${pid} meet`);
  expect(await warmChild(project)).not.toBe(pid);
});

it("a module hears that the agent ends its call, and its process ends", LIMIT, async () => {
  const project = served();
  const pid = await warmChild(project);
  const { child, result } = start(project, shell("wait"));
  await eventually(() => expect(asked(project)).toContain(`${pid} wait`));
  child.kill("SIGTERM");
  await result;
  await eventually(() => expect(isAlive(pid)).toBe(false));
  expect(asked(project).at(-1)).toBe(`${pid} aborted`);
});

// The last one of those that share the daemon.
it("a module stays loaded between calls, with its state, and ends with the daemon", LIMIT, async () => {
  const project = served();
  const pid = await warmChild(project);
  const [, before] = await counted(project);
  expect(await counted(project)).toEqual(["first", String(Number(before) + 1), String(pid)]);
  await stopDaemon(project);
  await eventually(() => expect(isAlive(pid)).toBe(false));
  expect((await counted(project)).slice(0, 2)).toEqual(["first", "1"]);
});

it("a command slower than the module next to it is asked once when the daemon is killed", LIMIT, async () => {
  const project = guarded();
  const slow = "if grep -q slowly; then echo slowly >> runs; sleep 6; echo 'Not slowly.' >&2; exit 2; fi";
  await settledProject(
    [
      { ...MODULE, timeout: 1 },
      { ...SHELL, command: slow },
    ],
    { project, started: true },
  );
  const pid = await warmChild(project);
  const { result } = start(project, shell("slowly"));
  const runs = (): string => readFileSync(join(project.cwd, "runs"), "utf8");
  await eventually(() => expect(runs()).toBe("slowly\n"));
  const { stdout } = await project.run(["monitor", "status", "--json"]);
  process.kill(JSON.parse(stdout).pid, "SIGKILL");
  expect((await result).stdout).toContain("Not slowly.");
  expect(runs()).toBe("slowly\n");
  expect(asked(project)).toContain(`${pid} slowly`);
  await eventually(() => expect(isAlive(pid)).toBe(false));
});

it("a module in TypeScript is loaded anew when a file that it imports has changed", LIMIT, async () => {
  const project = newProject();
  const typed = GUARD.replace(
    '{ type: "deny", reason: words.join(" ") }',
    'refuse(words.join(" ") as string)',
  );
  const source = `import { deny as refuse } from "tenterhook";\n${typed}`;
  const module = project.write("../config/tenterhook/guard.ts", source);
  const imported = project.write("../config/tenterhook/word.mjs", 'export const word = "first";\n');
  await settledProject([], { project, own: [{ ...MODULE, module }] });
  await warmChild(project);
  writeFileSync(imported, 'export const word = "second";\n');
  expect((await counted(project))[0]).toBe("second");
  await warmChild(project);
  expect((await counted(project))[0]).toBe("second");
});
