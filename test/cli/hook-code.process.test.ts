import { describe, expect, it } from "vitest";
import { newProject, shellCall } from "./support/project.ts";

const GUARD = { name: "guard", type: "module", module: "guard.mjs", matcher: { events: ["PreToolUse"] } };
const NEVER = "await new Promise((resolve) => setTimeout(resolve, 60_000))";

const IMPORTS = `import { writeSync } from "node:fs";
import { execSync, spawn } from "node:child_process";
import { once } from "node:events";
`;

/** What is said about a call when this is the body of a module that is asked about it. */
async function said(body: string, payload = shellCall("ls")) {
  const project = newProject();
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
  ])(
    "writes to stderr what it writes with %s: the verdict stands alone",
    async (_, writes) => {
      const { stdout, code } = await said(`${writes} throw new Error("No.");`);
      expect([code, JSON.parse(stdout)]).toMatchObject([0, refusal(expect.stringContaining("No."))]);
    },
    60_000,
  );

  it.each([
    ["ends the process", "process.exit(0)", "ended tenterhook"],
    ["ends the process with an error", "process.exit(7)", "ended tenterhook"],
    ["throws when nobody listens", `setTimeout(() => { throw new Error("late") }); ${NEVER}`, "late"],
    ["has a rejection nobody handles", `Promise.reject(new Error("unhandled")); ${NEVER}`, "unhandled"],
  ])(
    "that %s is a refusal",
    async (_, body, reason) => {
      const { stdout, code } = await said(body);
      expect([code, JSON.parse(stdout)]).toEqual([0, refusal(expect.stringContaining(reason))]);
    },
    60_000,
  );

  it("can't take back a verdict by ending the process after it", async () => {
    const project = newProject();
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
  }, 60_000);
});
