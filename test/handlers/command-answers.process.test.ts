import type { HookDefinition } from "tenterhook";
import { describe, expect, it, vi } from "vitest";
import { bashCall, HERE } from "../support/events.ts";
import { needs } from "../support/needs.ts";
import { scriptFolder, withCommand } from "./support/commands.ts";

const { root, write } = scriptFolder();
const BLOCK = '{"decision":"block","reason":"no"}';

/** What a hook with this definition says of a call. */
async function decided(definition: Partial<HookDefinition>, event: object = {}) {
  const { hooks } = await withCommand(root, definition);
  const { action, reason, runs } = await hooks.fire(bashCall("ls", { cwd: root, ...event }));
  await hooks.close();
  return { action, reason, failure: runs[0]?.failure };
}

// Most of these wait for a time of ours to end, so they wait together.
describe.concurrent("on a gate, when the program is over and something holds its stdout", () => {
  const HELD =
    "Something it left running still holds its stdout, so its answer may not be there yet. Wait for it, or send its output elsewhere: helper >/dev/null 2>&1 &";

  it.each([
    ["nothing was said", "sleep 600 & exit 0"],
    ["plain text was said", "sleep 600 & echo checking"],
    ["half an answer was said", `(printf '{"decision":"bl'; sleep 600) & exit 0`],
    ["an answer would come later", `(sleep 60; echo '${BLOCK}') & exit 0`],
    ["it never stops writing", "(while :; do printf x; sleep 0.05; done) & exit 0"],
  ])("the hook fails closed, for %s", async (_name, command) => {
    expect(await decided({ command, timeout: 60 })).toEqual({
      action: "deny",
      reason: expect.stringContaining("guard"),
      failure: { kind: "bad_output", message: HELD },
    });
  });

  it("a whole answer counts", async () => {
    expect(await decided({ command: `sleep 600 & echo '${BLOCK}'`, timeout: 60 })).toEqual({
      action: "deny",
      reason: "no",
      failure: undefined,
    });
    expect(await decided({ command: `sleep 600 & echo '{"action":"allow"}'`, timeout: 60 })).toMatchObject({
      action: "allow",
    });
  });

  it.each([
    ["a helper", "exec > >(python3 -c 'import sys; sys.stdout.write(sys.stdin.read())')"],
    ["a slow helper", "exec > >(sleep 0.7; cat)"],
  ])("the answer that %s passes on counts", async (helper, redirect) => {
    needs("bash", "python3");
    const file = write(`${helper}.sh`, `#!/usr/bin/env bash\n${redirect}\necho '${BLOCK}'\n`);
    expect(await decided({ command: ["bash", file], timeout: 60 })).toMatchObject({
      action: "deny",
      reason: "no",
    });
  });

  it("a refusal by exit code needs no stdout", async () => {
    expect(await decided({ command: "sleep 600 & echo no >&2; exit 2", timeout: 60 })).toEqual({
      action: "deny",
      reason: "no",
      failure: undefined,
    });
  });

  it("a helper that holds only stderr, or nothing, is no reason to doubt", async () => {
    for (const command of ["sleep 600 >/dev/null & exit 0", "sleep 1 >/dev/null 2>&1 & exit 0"])
      expect(await decided({ command, timeout: 60 })).toMatchObject({ action: "continue" });
  });
});

it("where there is no gate, what holds the stdout is ended and nothing fails", async () => {
  const { hooks } = await withCommand(root, {
    command: "sleep 600 & echo done",
    matcher: { events: ["Notification"] },
  });
  const { runs, user_messages } = await hooks.fire({
    ...HERE,
    hook_event_name: "Notification",
    message: "x",
    notification_type: "x",
    level: "info",
  });
  expect([runs[0]?.failure, user_messages[0]?.text]).toEqual([undefined, "done"]);
  await hooks.close();
});

describe.concurrent("a reply that can't be believed is a failure, which closes the gate", () => {
  it.each([
    ["bytes that are no UTF-8 around it", `printf '{"decision":"block","reason":"\\377"}'`, "bad_output"],
    ["more than 1 MB after it", `echo '${BLOCK}'; head -c 1100000 /dev/zero | tr '\\0' ' '`, "bad_output"],
    ["a signal that ends it", `echo '${BLOCK}'; kill -SEGV $$`, "error"],
    ["another exit code", `echo '${BLOCK}'; exit 3`, "error"],
    ["a program that is not there", `echo '${BLOCK}'; no-such-program`, "missing"],
    ["something that holds its stdout", `echo 'checking ${BLOCK}'; sleep 600 &`, "bad_output"],
  ])("%s", async (_name, command, kind) => {
    for (const said of [command, command.replaceAll("block", "approve")])
      expect(await decided({ command: said, timeout: 60 })).toMatchObject({
        action: "deny",
        failure: { kind },
      });
  });
});

describe("the exit code is believed", () => {
  it.each([
    "hash no-such-thing 2>/dev/null || { echo no >&2; exit 2; }",
    "unalias x 2>/dev/null; echo no >&2; exit 2",
    "chdir . 2>/dev/null; echo no >&2; exit 2",
    "PATH=./bin:/usr/bin:/bin myguard",
    "X=1 PATH=./bin:/usr/bin:/bin myguard",
    "myguard () { echo no >&2; return 2; }; myguard",
    "no-such-program 2>/dev/null || { echo no >&2; exit 2; }",
    "perl -i.bak -e1 /dev/null 2>/dev/null; echo no >&2; exit 2",
  ])("of %s", async (command) => {
    write("bin/myguard", "#!/bin/sh\necho no >&2; exit 2\n", 0o755);
    expect(await decided({ command })).toEqual({ action: "deny", reason: "no", failure: undefined });
  });

  it.each([
    "hash jq",
    "unalias -a",
    "local x",
    "chdir /",
    "source ./x",
    "time ls",
    "PATH=./bin:/usr/bin myguard",
    "myguard () { :; }; myguard",
    "perl -i.bak -e1",
  ])("and nothing is announced of %s", async (command) => {
    const { hooks } = await withCommand(root, { command });
    expect(hooks.list()[0]?.problem).toBeUndefined();
  });

  it("but not where a script is not there and what runs it ends with 2", async () => {
    needs("python3");
    for (const command of ["python3 gone.py", "PATH=/usr/bin:/bin sh gone.sh"])
      expect(await decided({ command })).toMatchObject({
        action: "deny",
        failure: { kind: "missing", message: expect.stringContaining(`There is no script ${root}/gone.`) },
      });
  });
});

describe("a command is given", () => {
  it("our own variables though env names them", async () => {
    vi.stubEnv("TENTERHOOK_TOOL", "of an outer hook");
    const env = ["CLAUDE_PROJECT_DIR", "TENTERHOOK_TOOL", "TENTERHOOK_PATH", "MY_TOKEN"];
    vi.stubEnv("TENTERHOOK_PATH", "of an outer hook");
    vi.stubEnv("MY_TOKEN", "t");
    const command = 'echo "$CLAUDE_PROJECT_DIR|$TENTERHOOK_TOOL|$TENTERHOOK_PATH|$MY_TOKEN" >&2; exit 2';
    expect((await decided({ command, env })).reason).toBe(`${root}|Bash||t`);
  });

  it.each([
    ["cat /dev/stdin >&2; exit 2"],
    ["cat </dev/stdin >&2; exit 2"],
    [`node -e 'process.stderr.write(require("fs").readFileSync("/dev/stdin")); process.exitCode = 2'`],
    [`node -e 'process.stdin.on("data", (d) => process.stderr.write(d)).on("end", () => process.exit(2))'`],
    ["head -n 1 >&2; exit 2"],
    ["read -r line; printf '%s' \"$line\" >&2; exit 2"],
  ])("an input that can be opened by name and read like any other: %s", async (command) => {
    const { reason } = await decided({ command });
    expect(JSON.parse(reason ?? "")).toMatchObject({ tool_input: { command: "ls" } });
  });
});

it("half a character that a program was about to write is not shown", async () => {
  const { failure } = await decided({ command: "printf 'no \\342\\202' >&2; kill -KILL $$" });
  expect(failure).toEqual({ kind: "error", message: "SIGKILL ended it: no" });
});

it("what a hook said is cut between characters", async () => {
  for (const end of ["process.exitCode = 1", 'process.kill(process.pid, "SIGKILL")']) {
    const script = `require("fs").writeSync(2, "ab" + "€".repeat(400000)); ${end}`;
    const { failure } = await decided({ command: ["node", "-e", script] });
    expect([failure?.kind, failure?.message.endsWith("€€"), failure?.message.includes("\ufffd")]).toEqual([
      "error",
      true,
      false,
    ]);
  }
});

it.each([
  ["open", "continue", { command: "ls -l" }],
  ["closed", "deny", undefined],
] as const)(
  "what a program written for Claude Code says with exit code 1 counts where failures are let pass: %s",
  async (on_failure, action, input) => {
    const updatedInput = { command: "ls -l" };
    const reply = JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput } });
    const command = `echo '${reply}'; exit 1`;
    const { hooks } = await withCommand(root, { command, payload: "native", on_failure });
    const native = { hook_event_name: "PreToolUse" };
    const decision = await hooks.fire(bashCall("ls", { cwd: root, native }));
    expect([decision.action, decision.input]).toEqual([action, input]);
    await hooks.close();
  },
);
