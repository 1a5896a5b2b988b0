import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isRecord } from "../../../src/core/base/json.ts";
import { eventually, processesWith } from "../../support/processes.ts";
import { installHooks, runClaude, say } from "../support/claude.ts";
import { clientProject } from "../support/client.ts";

const MATCHER = { events: ["PreToolUse"], tools: ["Bash"] };
const touch = (name: string) => [["Bash", { command: `touch ${name}`, description: "Make a file" }]] as const;

describe("a turn of Claude Code", () => {
  it("does not begin when the prompt is refused: no request is made", async () => {
    const project = clientProject();
    const rules = 'prompt contains "secret" -> deny("Not about that.")';
    const matcher = { events: ["UserPromptSubmit"] };
    await installHooks(project, [{ name: "prompt", type: "inline", matcher, rules }]);
    const { requests, messages } = await runClaude({ project, prompt: "Tell me the secret." });
    expect(requests).toEqual([]);
    expect(messages.find(({ type }) => type === "result")).toMatchObject({
      result: expect.stringContaining("Not about that."),
    });
  });

  it("is kept going by a Stop hook until the ceiling ends it", async () => {
    const project = clientProject();
    project.write("more.sh", '#!/bin/sh\necho "There is more to do. $(date +%N)" >&2\nexit 2\n');
    const hook = { name: "more", type: "command", script: "more.sh", matcher: { events: ["Stop"] } };
    await installHooks(project, [hook], { more: { limits: { stop_continuations: 3 } } });
    const { code, requests, lastSent } = await runClaude({
      project,
      script: ["one", "two", "three", "four", "five"],
    });
    expect([code, requests.length]).toEqual([0, 4]);
    expect(lastSent).toContain("There is more to do.");
  });

  it("has a question answered by a hook", async () => {
    const project = clientProject();
    const answer = {
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "allow",
        updatedInput: {
          questions: [{ question: "Which colour?", header: "Colour", multiSelect: false, options: OPTIONS }],
          answers: { "Which colour?": "Blue" },
        },
      },
    };
    project.write("answer.sh", `#!/bin/sh\ncat <<'END'\n${JSON.stringify(answer)}\nEND\n`);
    const matcher = { events: ["PreToolUse"], tools: ["AskUserQuestion"] };
    await installHooks(project, [{ name: "answer", type: "command", script: "answer.sh", matcher }]);
    const { questions } = answer.hookSpecificOutput.updatedInput;
    const { lastSent } = await runClaude({
      project,
      mode: "default",
      script: [[["AskUserQuestion", { questions }]]],
      host: (message, child) => {
        if (message.type === "result") child.stdin.end();
        const { request, request_id } = message;
        // A host that is asked has not been spared: the answer would be this one.
        if (message.type === "control_request" && isRecord(request) && request.subtype === "can_use_tool")
          say(child, {
            type: "control_response",
            response: {
              subtype: "success",
              request_id,
              response: { behavior: "deny", message: "Asked the host." },
            },
          });
      },
    });
    expect(lastSent).toContain("Blue");
    expect(lastSent).not.toContain("Asked the host.");
  });
});

const OPTIONS = [
  { label: "Blue", description: "Like the sky" },
  { label: "Red", description: "Like a rose" },
];

describe("what goes wrong", () => {
  it("is refused when a hook hangs, in time, and nothing of it is left", async () => {
    const project = clientProject();
    project.write("hang.sh", "#!/bin/sh\nsleep 600 &\nwait\n");
    const hook = { name: "hang", type: "command", script: "hang.sh", matcher: MATCHER, timeout: 1 };
    await installHooks(project, [hook]);
    const { lastSent } = await runClaude({ project, script: [touch("made")] });
    expect(existsSync(join(project.cwd, "made"))).toBe(false);
    expect(lastSent).toContain("No answer within 1 s");
    await eventually(() => expect(processesWith(project.folder)).toEqual([]));
  });

  it("is refused when a hook crashes", async () => {
    const project = clientProject();
    project.write("crash.sh", "#!/bin/sh\nkill -SEGV $$\n");
    await installHooks(project, [{ name: "crash", type: "command", script: "crash.sh", matcher: MATCHER }]);
    const { lastSent } = await runClaude({ project, script: [touch("made")] });
    expect(existsSync(join(project.cwd, "made"))).toBe(false);
    expect(lastSent).toContain("crash");
  });

  it.each([
    ["is gone", undefined],
    ["is killed", "#!/bin/sh\nkill -9 $$\n"],
    ["is broken", "#!/bin/sh\necho 'SyntaxError' >&2\nexit 1\n"],
    ["says nonsense", "#!/bin/sh\necho '{\"hookSpecificOutput\": 7}'\n"],
  ])("is refused when our own program %s", async (_, program) => {
    const project = clientProject();
    const rules = 'command contains "anything else" -> deny("No.")';
    await installHooks(project, [{ name: "none", type: "inline", matcher: MATCHER, rules }]);
    const ours = join(project.folder, "bin/tenterhook");
    rmSync(ours);
    if (program !== undefined) writeFileSync(ours, program, { mode: 0o755 });
    const { requests } = await runClaude({ project, script: [touch("made")] });
    expect([requests.length, existsSync(join(project.cwd, "made"))]).toEqual([2, false]);
  });

  it("is refused when the configuration can't be read and never could", async () => {
    const project = clientProject();
    await installHooks(project, [
      { name: "any", type: "inline", matcher: MATCHER, rules: 'tool equals "X" -> deny()' },
    ]);
    project.write(".tenterhook/hooks.yaml", "hooks: [");
    rmSync(join(project.folder, "state"), { recursive: true });
    const { lastSent } = await runClaude({ project, script: [touch("made")] });
    expect(existsSync(join(project.cwd, "made"))).toBe(false);
    expect(lastSent).toContain("there is no last good one");
  });
});
