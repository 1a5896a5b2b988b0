import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { chosen } from "../../support/long.ts";
import { eventually, isAlive, processesNamed } from "../../support/processes.ts";
import { hostedProject, type TestedHost } from "./hosts.ts";
import { shellCall } from "./project.ts";

const GUARD = { name: "guard", type: "module", timeout: 60, matcher: { events: ["PreToolUse"] } };
/** Holds the thread for ever, as a loop does, and leaves the processor to others. */
const HOLD = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);";
const NEVER = "await new Promise((resolve) => setTimeout(resolve, 60_000))";

const IMPORTS = `import { writeFileSync, writeSync } from "node:fs";
import { execSync, spawn } from "node:child_process";
import { once } from "node:events";
writeFileSync("pid", String(process.pid));
`;

const refusal = (reason: string) => ({
  hookSpecificOutput: expect.objectContaining({
    hookEventName: "PreToolUse",
    permissionDecision: "deny",
    permissionDecisionReason: expect.stringContaining(reason),
  }),
});

/** What the code of a module can do instead of deciding, and what the reason then says. */
const FORMS: readonly (readonly [form: string, body: string, reason: string])[] = [
  ["throws", 'throw new Error("It broke.");', "It broke."],
  ["ends its process", "process.exit(0)", ""],
  ["returns what is no outcome", "return 42;", ""],
  ["ends its process without its exit event", "process.reallyExit(0)", ""],
  ["kills its process", 'process.kill(process.pid, "SIGKILL")', "SIGKILL"],
  ["throws when nobody listens", `setTimeout(() => { throw new Error("late") }); ${NEVER}`, ""],
  ["has a rejection nobody handles", `Promise.reject(new Error("unhandled")); ${NEVER}`, ""],
  ["returns what JSON can't carry", 'return { type: "deny", reason: 1n };', ""],
];

/** Code that has no end. */
const ENDLESS: readonly (readonly [form: string, source: string])[] = [
  ["never ends", `export default () => { ${HOLD} };`],
  ["never ends while it is loaded", HOLD],
  ["never ends after it has waited", `export default async () => { await 0; ${HOLD} };`],
];

/** What holds for the code of a module, wherever its call is decided. */
export function moduleCodeSuite(place: string, host: TestedHost): void {
  describe(`the code of a module, ${place},`, () => {
    const { project, configure, decide } = hostedProject(host);
    let modules = 0;
    /** Makes this code the only hook. Returns its file. */
    const guarded = async (source: string, more: object = {}): Promise<string> => {
      modules += 1;
      const module = `guard-${modules}.mjs`;
      const file = project().write(module, `${IMPORTS}${source}\n`);
      await configure([{ ...GUARD, module, ...more }]);
      return file;
    };
    const resultOf = async (source: string) => {
      await guarded(source);
      return decide(shellCall("ls"));
    };

    it("writes to stderr whatever it prints: the verdict stands alone", async () => {
      const prints = [
        'console.log("checking");',
        "process.stdout.write('{\"x\":1}\\n');",
        'writeSync(1, "checking");',
        'execSync("echo checking", { stdio: "inherit" });',
        'await once(spawn("echo", ["checking"], { stdio: ["ignore", 1, "pipe"] }), "close");',
        'setImmediate(() => console.info("checking"));',
      ];
      const { stdout, code } = await resultOf(
        `export default async () => { ${prints.join("\n")} throw new Error("No."); };`,
      );
      expect([code, JSON.parse(stdout)]).toMatchObject([0, refusal("No.")]);
    });

    it.each(chosen(FORMS.slice(0, 3), FORMS))("refuses a call when it %s", async (_, body, reason) => {
      const { stdout, code } = await resultOf(`export default async () => { ${body} };`);
      expect([code, JSON.parse(stdout)]).toMatchObject([0, refusal(reason)]);
    });

    it.each(chosen(ENDLESS.slice(0, 1), ENDLESS))(
      "refuses a call when its time is over, and its process is gone: it %s",
      async (_, source) => {
        const file = await guarded(source, { timeout: 1 });
        const { stdout, code } = await decide(shellCall("ls"));
        expect([code, JSON.parse(stdout)]).toMatchObject([0, refusal("")]);
        await eventually(() => expect(processesNamed(file)).toEqual([]));
      },
    );

    it("can't take back a verdict by ending its process after it", async () => {
      const { stdout } = await resultOf(
        "export default () => { setTimeout(() => process.exit(0)); throw new Error('No.'); };",
      );
      expect(JSON.parse(stdout)).toMatchObject(refusal("No."));
    });

    it("in the background is ended too when its time is over", async () => {
      const file = await guarded(`export default () => { ${HOLD} };`, { timeout: 1, async: true });
      expect(await decide(shellCall("ls"))).toMatchObject({ code: 0, stdout: "" });
      const timedOut = { name: "guard", async: true, failure: { kind: "timeout" } };
      const later = () =>
        project()
          .journal()
          .filter(({ type }) => type === "run");
      await eventually(() => expect(later()).toMatchObject([{ runs: [timedOut] }]));
      await eventually(() => expect(processesNamed(file)).toEqual([]));
    });

    it("rewrites, adds context and refuses events that have an exit code for it", async () => {
      await guarded(
        `export default ({ tool_input, task_subject }) => {
          if (task_subject !== undefined) return { type: "deny", reason: "No task." };
          return [{ type: "rewrite", next: { command: "true" } }, { type: "context", text: "Look out." }];
        };`,
        { matcher: { events: ["PreToolUse", "claude:TaskCreated"] } },
      );
      const { stdout } = await decide(shellCall("ls"));
      expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({
        updatedInput: { command: "true" },
        additionalContext: expect.stringContaining("Look out."),
      });
      const task = { hook_event_name: "TaskCreated", task_id: "1", task_subject: "s" };
      const refused = await decide(task);
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("No task.")]);
    });
  });
}

/** What holds for a command that ends more than itself. */
export function killingCommandSuite(place: string, host: TestedHost): void {
  describe(`a command, ${place},`, () => {
    const { project, configure, decide } = hostedProject(host);

    it.each<readonly [string, object]>([
      ["a line of the shell", { command: "kill -9 $PPID; sleep 60" }],
      ["a program", { command: ["/bin/sh", "-c", "kill -9 $PPID; sleep 60"] }],
      ["a script", { script: "guard.sh" }],
    ])("refuses the call when it kills its parent, and leaves no process: %s", async (_, command) => {
      const { folder, write } = project();
      const name = `guard-${basename(folder)}`;
      write("guard.sh", "#!/bin/sh\nkill -9 $PPID\nsleep 60\n");
      const gate = { name, matcher: { events: ["PreToolUse"] }, timeout: 60 };
      await configure([{ ...gate, type: "command", ...command }]);
      const { stdout, code } = await decide(shellCall("ls"));
      expect([code, JSON.parse(stdout)]).toMatchObject([0, refusal("SIGKILL")]);
      await eventually(() => expect(processesNamed(folder).filter(isAlive)).toEqual([]));
    });
  });
}
