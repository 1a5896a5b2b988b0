import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually, processesNamed, processesWith } from "../support/processes.ts";
import { newProject, shellCall } from "./support/project.ts";

const GUARD = { name: "guard", type: "module", module: "guard.mjs", matcher: { events: ["PreToolUse"] } };
const NEVER = "await new Promise((resolve) => setTimeout(resolve, 60_000))";

const IMPORTS = `import { writeSync } from "node:fs";
import { execSync, spawn } from "node:child_process";
import { once } from "node:events";
`;

/** What is said about a call when this is the body of a module that is asked about it. */
async function resultOf(body: string, payload = shellCall("ls")) {
  const project = newProject({ cached: true });
  project.write("guard.mjs", `${IMPORTS}export default async () => { ${body} };\n`);
  await project.configure([GUARD]);
  return project.hook(payload);
}

const refusal = (reason: unknown) => ({
  hookSpecificOutput: expect.objectContaining({
    hookEventName: "PreToolUse",
    permissionDecision: "deny",
    permissionDecisionReason: reason,
  }),
});

describe("the code of a hook, which shares the process with the verdict", () => {
  it.each([
    ["console.log", 'console.log("checking");'],
    ["process.stdout", "process.stdout.write('{\"x\":1}\\n');"],
    ["descriptor 1", 'writeSync(1, "checking");'],
    ["a program that inherits stdout", 'execSync("echo checking", { stdio: "inherit" });'],
    [
      "a program beside it",
      'await once(spawn("echo", ["checking"], { stdio: ["ignore", 1, "pipe"] }), "close");',
    ],
    ["console.info, later than the verdict", 'setImmediate(() => console.info("checking"));'],
  ])("writes to stderr what it writes with %s: the verdict stands alone", async (_, writes) => {
    const { stdout, code } = await resultOf(`${writes} throw new Error("No.");`);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, refusal(expect.stringContaining("No."))]);
  });

  it.each([
    ["ends the process", "process.exit(0)", "ended tenterhook"],
    ["ends the process with an error", "process.exit(7)", "ended tenterhook"],
    ["throws when nobody listens", `setTimeout(() => { throw new Error("late") }); ${NEVER}`, "late"],
    ["has a rejection nobody handles", `Promise.reject(new Error("unhandled")); ${NEVER}`, "unhandled"],
  ])("that %s is a refusal", async (_, body, reason) => {
    const { stdout, code } = await resultOf(body);
    expect([code, JSON.parse(stdout)]).toEqual([0, refusal(expect.stringContaining(reason))]);
  });

  it("can't take back a verdict by ending the process after it", async () => {
    const project = newProject({ cached: true });
    project.write(
      "guard.mjs",
      "export default () => { setTimeout(() => process.exit(0)); throw new Error('No.'); };\n",
    );
    await project.configure([{ ...GUARD, matcher: { events: ["claude:TaskCreated"] } }]);
    const { code, stderr } = await project.hook({
      hook_event_name: "TaskCreated",
      task_id: "1",
      task_subject: "s",
    });
    expect([code, stderr]).toEqual([2, expect.stringContaining("No.")]);
  });
});

describe("code that would rather end tenterhook than be decided about", () => {
  const gate = { name: "guard", matcher: { events: ["PreToolUse"] }, timeout: 1 };

  /** What becomes of a call when this is the module that is asked about it, and which processes are left. */
  async function ended(source: string) {
    const project = newProject({ cached: true });
    const name = `guard-${basename(project.folder)}`;
    project.write("guard.mjs", `${IMPORTS}${source}\n`);
    await project.configure([{ ...gate, name, type: "module", module: "guard.mjs" }]);
    const { stdout, stderr, code } = await project.hook(shellCall("ls"));
    await eventually(() => expect([processesWith(project.folder), processesNamed(name)]).toEqual([[], []]));
    return { code, stdout, stderr: stderr.replace(name, "guard") };
  }

  // A process that was killed has no exit code: agents refuse then, as `install` tells them.
  const KILLED = {
    code: null,
    stdout: "",
    stderr: expect.stringContaining(
      "The process that decided PreToolUse was killed. Code of a hook may have blocked or killed it: guard.\n",
    ),
  };

  it.each<readonly [string, string]>([
    ["a module that never ends", "export default () => { while (true) {} };"],
    ["a module that never ends while it is loaded", "while (true) {}"],
    ["a module that never ends after it has waited", "export default async () => { await 0; for (;;); };"],
    [
      "a module that never ends after it has started a program",
      'export default () => { spawn("sleep", ["60"], { detached: true, stdio: "ignore" }); for (;;); };',
    ],
    ["a module that kills the process", 'export default () => { process.kill(process.pid, "SIGKILL"); };'],
    ["a module that aborts the process", "export default () => { process.abort(); };"],
  ])("is killed, and leaves no process: %s", async (_, source) => {
    expect(await ended(source)).toEqual(KILLED);
  });

  it.each<readonly [string, string]>([
    ["never ends", "for (;;);"],
    [
      "never ends after it has started a program",
      'spawn("sleep", ["60"], { detached: true, stdio: "ignore" }); for (;;);',
    ],
  ])("is killed in the background too, and leaves no process: a module that %s", async (_, body) => {
    const project = newProject({ cached: true });
    const name = `guard-${basename(project.folder)}`;
    const started = `writeFileSync(${JSON.stringify(join(project.folder, "started"))}, "");`;
    project.write(
      "guard.mjs",
      `${IMPORTS}import { writeFileSync } from "node:fs";\nexport default () => { ${started} ${body} };\n`,
    );
    await project.configure([{ ...gate, name, type: "module", module: "guard.mjs", async: true }]);
    const { code, stdout } = await project.hook(shellCall("ls"));
    expect([code, stdout]).toEqual([0, ""]);
    await eventually(() => expect(existsSync(join(project.folder, "started"))).toBe(true));
    await eventually(() => expect([processesWith(project.folder), processesNamed(name)]).toEqual([[], []]));
  });

  it("is not killed while the hooks of an event wait, one after another, longer than each may", async () => {
    const project = newProject({ cached: true });
    const source = `export default async () => { ${NEVER.replace("60_000", "3000")}; throw new Error("No."); };\n`;
    project.write("slow.mjs", source);
    await project.configure(
      ["one", "two", "three"].map((name) => ({
        ...gate,
        name,
        type: "module",
        module: "slow.mjs",
        timeout: 6,
      })),
    );
    const { stdout, stderr } = await project.hook(shellCall("ls"));
    expect(stdout).toContain("No.");
    expect(stderr).toBe("");
  });

  it("is refused when it ends the process without its exit event", async () => {
    const { code, stdout } = await ended("export default () => { process.reallyExit(0); };");
    expect([code, JSON.parse(stdout)]).toEqual([0, refusal(expect.stringContaining("ended tenterhook"))]);
  });

  it.each<readonly [string, object]>([
    ["a line of the shell", { command: "kill -9 $PPID; sleep 60" }],
    ["a program", { command: ["/bin/sh", "-c", "kill -9 $PPID; sleep 60"] }],
    ["a script", { script: "guard.sh" }],
  ])("is refused when it kills its parent, and leaves no process: %s", async (_, command) => {
    const project = newProject({ cached: true });
    project.write("guard.sh", "#!/bin/sh\nkill -9 $PPID\nsleep 60\n");
    await project.configure([{ ...gate, type: "command", ...command }]);
    const { stdout, code } = await project.hook(shellCall("ls"));
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      { ...refusal(expect.stringContaining("SIGKILL")), systemMessage: expect.any(String) },
    ]);
    await eventually(() => expect(processesWith(project.folder)).toEqual([]));
  });
});
