import { realpathSync } from "node:fs";
import { createHooks, type HookDefinition } from "tenterhook";
import { describe, expect, it, vi } from "vitest";
import { noSandbox } from "../support/bubblewrap.ts";
import { bashCall, HERE } from "../support/events.ts";
import { commandHook } from "../support/hook-definitions.ts";
import { leaveOut } from "../support/not-here.ts";
import { scriptFolder, withCommand } from "./support/commands.ts";

const { root, write } = scriptFolder();
const PRINT_INPUT =
  'import json, sys\nprint(json.dumps({"reason": json.load(sys.stdin)["tool_input"]["command"], "action": "deny"}))\n';

/** What a hook with this definition says of a call. */
async function decided(definition: Partial<HookDefinition>, command = "ls") {
  const { hooks } = await withCommand(root, definition);
  const { action, reason, runs } = await hooks.fire(bashCall(command, { cwd: root }));
  await hooks.close();
  const [run] = runs;
  return {
    action,
    ...(reason === undefined ? {} : { reason }),
    ...(run?.exit_code === undefined ? {} : { exit_code: run.exit_code }),
    ...(run?.failure === undefined ? {} : { failure: run.failure }),
  };
}

describe("a command is", () => {
  it("a line for the shell when it is a text", async () => {
    expect(await decided({ command: 'test -n "$HOME" && echo no >&2 | cat; exit 2' })).toEqual({
      action: "deny",
      reason: "no",
      exit_code: 2,
    });
  });

  it("a program without a shell when it is a list, or has args", async () => {
    const odd = "$(touch x) 'y';";
    const script = write("echo-args.sh", 'printf "%s|" "$@" >&2; exit 2');
    expect(await decided({ command: ["/bin/sh", script, odd] })).toMatchObject({ reason: `${odd}|` });
    expect(await decided({ command: "/bin/sh", args: [script, odd, ""] })).toMatchObject({
      reason: `${odd}||`,
    });
  });

  it.each([
    ["guard.sh", 'read line; case "$line" in *\'"ls"\'*) echo shell >&2; exit 2;; esac', "shell"],
    ["guard.py", PRINT_INPUT, "ls"],
    ["guard.js", 'process.stdout.write(JSON.stringify({ ok: false, reason: "node" }))', "node"],
    ["guard.mjs", 'import "node:fs"; console.log(JSON.stringify({ ok: false, reason: "module" }))', "module"],
    [
      "guard.ts",
      'import { basename } from "node:path";\nimport { reason } from "./reason.ts";\nconst own: string = basename(process.argv[1] ?? "");\nprocess.stderr.write(own + " " + reason);\nprocess.exitCode = 2;',
      "guard.ts because",
    ],
    ["first-line", "#!/usr/bin/env bash\n[[ 1 == 1 ]] && { echo bash >&2; exit 2; }", "bash"],
    ["first-line.py", "#!/bin/sh\necho by its first line >&2; exit 2", "by its first line"],
  ])("the script %s, run by its first line or its suffix", async (name, text, reason) => {
    write("reason.ts", 'export const reason: string = "because";');
    write(name, text);
    expect(await decided({ script: name })).toMatchObject({ action: "deny", reason });
  });

  it("a script in a folder with a name no shell would take", async () => {
    write("my $(hooks)/it's.sh", 'echo "$1" >&2; exit 2');
    expect(await decided({ script: "my $(hooks)/it's.sh", args: ["a b"] })).toMatchObject({ reason: "a b" });
  });
});

describe("a command gets", () => {
  it("the event as one line of JSON", async () => {
    const { hooks } = await withCommand(root, { command: "cat >&2; exit 2" });
    const { reason, runs } = await hooks.fire(bashCall("echo 'ä\n€'", { cwd: root }));
    const event: unknown = JSON.parse(reason ?? "");
    expect(reason).not.toContain("\n");
    expect(event).toEqual({
      hook_event_name: "PreToolUse",
      event_id: runs[0]?.event_id,
      seq: 1,
      timestamp: expect.any(String),
      session_id: "s1",
      agent_id: "s1",
      agent_type: expect.any(String),
      cwd: root,
      host: "tenterhook",
      tool_name: "Bash",
      tool_input: { command: "echo 'ä\n€'" },
    });
  });

  it("the folder of its configuration as its own, and what the event is about as variables", async () => {
    vi.stubEnv("TENTERHOOK_PATH", "of an outer hook");
    const line =
      "env | grep -E '^(TENTERHOOK_|CLAUDE_P)' | grep -v TENTERHOOK_RUN | sort >&2; pwd -P >&2; exit 2";
    expect((await decided({ command: line }, "npm test")).reason?.split("\n")).toEqual([
      `CLAUDE_PROJECT_DIR=${root}`,
      "TENTERHOOK_COMMAND=npm test",
      "TENTERHOOK_EVENT=PreToolUse",
      "TENTERHOOK_HOOK_NAME=guard",
      `TENTERHOOK_PROJECT_DIR=${root}`,
      "TENTERHOOK_SESSION_ID=s1",
      "TENTERHOOK_TOOL=Bash",
      realpathSync(root),
    ]);
  });

  it("the file a call touches, normalised", async () => {
    const { hooks } = await withCommand(root, { command: 'printf %s "$TENTERHOOK_PATH" >&2; exit 2' });
    const { reason } = await hooks.fire({
      ...HERE,
      cwd: "/project",
      hook_event_name: "PreToolUse",
      tool_name: "Write",
      tool_input: { file_path: "src/../src/a.ts", content: "" },
    });
    expect(reason).toBe("/project/src/a.ts");
  });

  it("no keys and tokens but those it names", async () => {
    vi.stubEnv("ANTHROPIC_API_KEY", "key");
    vi.stubEnv("DEPLOY_TOKEN", "token");
    vi.stubEnv("PLAIN", "plain");
    const line = 'echo "$ANTHROPIC_API_KEY|$DEPLOY_TOKEN|$PLAIN" >&2; exit 2';
    expect(await decided({ command: line })).toMatchObject({ reason: "||plain" });
    expect(await decided({ command: line, env: ["DEPLOY_TOKEN"] })).toMatchObject({ reason: "|token|plain" });
  });

  it("nothing at all when a variable can't hold what it must say", async () => {
    expect(await decided({ command: "exit 0" }, "x".repeat(200_000))).toEqual({
      action: "deny",
      reason: expect.stringContaining("TENTERHOOK_COMMAND"),
      failure: {
        kind: "error",
        message:
          "TENTERHOOK_COMMAND can't be set: 200000 bytes are more than a variable holds. The hook was not run.",
      },
    });
    expect(await decided({ command: "exit 0" }, "a\0b")).toMatchObject({ failure: { kind: "error" } });
  });
});

describe("what a command says", () => {
  it("is shown while it runs, both streams of it", async () => {
    const { hooks, runEvents } = await withCommand(root, { command: "echo one; echo two >&2" });
    await hooks.fire(bashCall());
    const outputs = runEvents.flatMap((event) =>
      event.type === "output" ? [[event.stream, event.text]] : [],
    );
    expect(outputs.sort()).toEqual([
      ["stderr", "two\n"],
      ["stdout", "one\n"],
    ]);
    expect(runEvents.map(({ type }) => type).filter((type) => type !== "output")).toEqual(["begin", "end"]);
  });

  it("beyond the limit is no answer", async () => {
    expect(await decided({ command: "head -c 1000001 /dev/zero | tr '\\0' ' '" })).toMatchObject({
      action: "deny",
      exit_code: 0,
      failure: { kind: "bad_output", message: "It printed more than 1000000 bytes." },
    });
  });

  it("counts as an error when a signal ended it, or when it ends with another code", async () => {
    expect(await decided({ command: "echo why >&2; kill -SEGV $$" })).toMatchObject({
      action: "deny",
      failure: { kind: "error", message: "SIGSEGV ended it: why" },
    });
    expect(await decided({ command: "echo why >&2; exit 7" })).toMatchObject({
      action: "deny",
      exit_code: 7,
      failure: { kind: "error", message: "Exit code 7: why" },
    });
  });
});

describe("a command that is not there", () => {
  const missing: readonly (readonly [Partial<HookDefinition>, string, string])[] = [
    [
      { command: ["no-such-program", "x"] },
      'There is no program "no-such-program" on the PATH.',
      'There is no program "no-such-program" on the PATH.',
    ],
    [{ script: "gone.py" }, `There is no script ${root}/gone.py.`, `There is no script ${root}/gone.py.`],
    [
      { command: "no-such-program --check" },
      'There is no program "no-such-program" on the PATH.',
      'There is no program "no-such-program" on the PATH.',
    ],
    [
      { command: "./plain-file now" },
      `${root}/plain-file may not be executed: make it executable (chmod +x), or name it as a script.`,
      `${root}/plain-file may not be executed`,
    ],
    [
      { command: "X=1 python3 scripts/gone.py a" },
      `There is no script ${root}/scripts/gone.py.`,
      `There is no script ${root}/scripts/gone.py.`,
    ],
    [{ command: "no-such-program-a || no-such-program-b" }, "no-such-program-a", "no-such-program-a"],
    [{ script: "what.xyz" }, `Nothing says how to run ${root}/what.xyz`, "Nothing says how to run"],
  ];
  it.each(missing)(
    "%j is announced when it is added, and fails closed",
    async (definition, problem, message) => {
      write("plain-file", "x");
      write("what.xyz", "x");
      const { hooks } = await withCommand(root, definition);
      expect(hooks.list()[0]?.problem).toContain(problem);
      const { action, runs } = await hooks.fire(bashCall());
      expect([action, runs[0]?.failure?.message]).toEqual(["deny", expect.stringContaining(message)]);
      expect(runs[0]?.failure?.kind).toBe("missing");
    },
  );

  it("and stands behind another one is missing too", async () => {
    expect(await decided({ command: "true && no-such-program" })).toMatchObject({
      action: "deny",
      exit_code: 127,
      failure: {
        kind: "missing",
        message: expect.stringMatching(/^A program is not there\. Exit code 127: /),
      },
    });
  });

  it("by then works again when it is back", async () => {
    const { hooks } = await withCommand(root, { script: "later.sh" });
    expect((await hooks.fire(bashCall())).action).toBe("deny");
    write("later.sh", "exit 0");
    expect((await hooks.fire(bashCall())).action).toBe("continue");
  });

  it.each([
    ['"$HOME/no such/x" a', "/no such/x"],
    ["cd /nowhere && ./x.sh", "/nowhere/x.sh"],
    [`"\${CLAUDE_PROJECT_DIR}"/x.sh 2>/dev/null`, "/x.sh"],
  ])("is said of the script in %j", async (command, path) => {
    const { hooks } = await withCommand(root, { command });
    expect(hooks.list()[0]?.problem).toMatch(/^There is no script /);
    expect(hooks.list()[0]?.problem).toContain(path);
  });

  it.each([
    "cd sub && ls",
    "[ -x ./x.sh ] && ./x.sh",
    "X=1 test -f a",
    "if true; then :; fi",
    '"$X/x" a',
    "[ 1 = 1 ]",
    "cat | jq .",
    "python3 -c pass",
    'sh "$X".sh',
  ])("is not said of %j", async (command) => {
    const { hooks } = await withCommand(root, { command });
    expect(hooks.list()[0]?.problem).toBeUndefined();
  });
});

it("a definition that does not say what to run is refused", async () => {
  const refused = async (definition: Partial<HookDefinition>): Promise<unknown> =>
    withCommand(root, definition).catch((error: { code: string; message: string }) => [
      error.code,
      error.message,
    ]);
  expect(await refused({})).toEqual([
    "invalid_option",
    'Hook "guard": command is missing; it must be a shell line, or a list of a program and its arguments, unless script is given.',
  ]);
  expect(await refused({ command: "a", script: "b" })).toEqual([
    "invalid_option",
    'Hook "guard": script can\'t be given together with command. Remove one of them.',
  ]);
  expect(await refused({ command: "" })).toMatchObject(["invalid_option", /./]);
  expect(await refused(JSON.parse('{"command":"x","mode":"persistant"}'))).toEqual([
    "invalid_option",
    'Hook "guard": mode is "persistant"; it must be one of enforce, shadow, persistent. Did you mean "persistent"?',
  ]);
});

it("an async command hook runs while the event goes on, is recorded and settles", async () => {
  const { hooks, runEvents } = await withCommand(root, {
    command: 'sleep 0.05; echo \'{"systemMessage":"later"}\'',
    async: true,
  });
  expect((await hooks.fire(bashCall())).action).toBe("continue");
  await hooks.settled();
  expect(runEvents.filter(({ type }) => type === "end")).toMatchObject([
    { run: { name: "guard", exit_code: 0 } },
  ]);
  expect((await hooks.fire(bashCall())).user_messages).toMatchObject([{ text: "later" }]);
  await hooks.settled();
  await hooks.close();
});

it("a cancelled event ends its commands and refuses", async () => {
  const { hooks, runEvents } = await withCommand(root, { command: "echo started; sleep 300" });
  const controller = new AbortController();
  const deciding = hooks.fire(bashCall(), { signal: controller.signal });
  const started = (): boolean => runEvents.some((event) => event.type === "output");
  while (!started()) await new Promise((resolve) => setTimeout(resolve, 5));
  controller.abort();
  expect((await deciding).runs).toMatchObject([{ failure: { kind: "cancelled" } }]);
});

describe("in the sandbox of its configuration a command", () => {
  leaveOut(noSandbox);

  it.each([
    ["read-only", "no"],
    ["workspace-write", "yes"],
  ] as const)("that is %s writes into the project: %s", async (sandbox, written) => {
    const hooks = createHooks();
    await hooks.add(
      commandHook("guard", "rm -f made; echo x > made; test -e made && echo yes >&2 || echo no >&2; exit 2"),
      { root, sandbox },
    );
    expect((await hooks.fire(bashCall())).reason?.split("\n").at(-1)).toBe(written);
  });
});
