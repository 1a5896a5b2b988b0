import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ServerRequest } from "../../../src/know/prove/model/model-server.ts";
import { serve } from "../../handlers/http/support.ts";
import { runClaude } from "../support/claude.ts";
import { clientProject, type Step } from "../support/client.ts";
import { hookedProject, useHooks } from "../support/hooked-project.ts";

const bash = (command: string): Step => [["Bash", { command, description: "Run it" }]];
const own = (hookEventName: string, more: object) =>
  JSON.stringify({ hookSpecificOutput: { hookEventName, ...more } });

describe.each(["native", "imported"] as const)("a hook of Claude Code, %s", (way) => {
  it("names files to watch, and hears of their changes", async () => {
    const shape = { stdout: "" };
    const handlers = { SessionStart: {}, FileChanged: { matcher: "watched.txt" } };
    const project = await hookedProject(way, handlers, [shape]);
    const file = project.write("watched.txt", "old\n");
    project.write("../shapes/0/stdout", own("SessionStart", { watchPaths: [file] }));
    await runClaude({ project, script: [bash(`sleep 1; echo new > ${file}; sleep 3`)] });
    const log = join(project.folder, "FileChanged.log");
    expect(
      existsSync(log) ? JSON.parse(readFileSync(log, "utf8").trim().split("\n")[0] ?? "") : undefined,
    ).toMatchObject({
      hook_event_name: "FileChanged",
      file_path: file,
    });
  });

  it("that wakes the agent later is waited for without a user: its refusal reaches the model", async () => {
    const project = await hookedProject(way, { PostToolUse: { asyncRewake: true } }, [
      { exit: 2, stderr: "REVIEW" },
    ]);
    const { lastSent } = await runClaude({ project, script: [bash("true")] });
    expect(lastSent).toContain("REVIEW");
  });

  it("that wakes the agent later reaches the model with a user too, here before its turn ends", async () => {
    const project = clientProject();
    const hook = { type: "command", command: "sleep 2; echo REVIEW >&2; exit 2", asyncRewake: true };
    await useHooks(way, project, { PostToolUse: [{ hooks: [hook] }] });
    const turns: boolean[] = [];
    let isTold = false;
    const model = (request: ServerRequest): Step => {
      isTold ||= JSON.stringify(request.body.messages).includes("REVIEW");
      return turns.length === 0 && !JSON.stringify(request.body.messages).includes("tool_result")
        ? bash("true")
        : "done";
    };
    await runClaude({
      project,
      model,
      host: (message, child) => {
        if (message.type !== "result") return;
        turns.push(isTold);
        if (isTold) child.stdin.end();
        else setTimeout(() => child.stdin.end(), 20_000).unref();
      },
    });
    expect(turns).toEqual(way === "native" ? [false, true] : [true]);
  });

  it("gives the session its title", async () => {
    const project = await hookedProject(way, { UserPromptSubmit: {} }, [
      { stdout: own("UserPromptSubmit", { sessionTitle: "TITLE" }) },
    ]);
    await runClaude({ project });
    const folder = join(project.folder, "home/.claude/projects");
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const lines = files.flatMap(({ parentPath, name }) =>
      readFileSync(join(parentPath, name), "utf8").trim().split("\n"),
    );
    expect(lines).toContainEqual(expect.stringContaining('"customTitle":"TITLE"'));
  });

  it("that asks a server is understood", async () => {
    const deny = { permissionDecision: "deny", permissionDecisionReason: "WHY", more: 1 };
    const replies = [{ received: true }, { hookSpecificOutput: { hookEventName: "PreToolUse", ...deny } }];
    const server = await serve((response, number) => {
      response.setHeader("content-type", "application/json").end(JSON.stringify(replies[number - 1]));
    });
    const project = clientProject();
    await useHooks(way, project, { PreToolUse: [{ hooks: [{ type: "http", url: server.url }] }] });
    const { lastSent } = await runClaude({ project, script: [bash("touch first"), bash("touch second")] });
    expect(["first", "second"].map((name) => existsSync(join(project.cwd, name)))).toEqual([true, false]);
    expect(lastSent).toContain("WHY");
    expect(JSON.parse(server.seen[0]?.body ?? "")).toMatchObject({
      hook_event_name: "PreToolUse",
      tool_input: { command: "touch first" },
      permission_mode: "bypassPermissions",
    });
  });

  it("that asks a model refuses a call", async () => {
    const project = clientProject();
    const hook = { type: "prompt", prompt: "May it? $ARGUMENTS", model: "haiku", continueOnBlock: true };
    await useHooks(way, project, { PreToolUse: [{ matcher: "Bash", hooks: [hook] }] });
    const verdict = '{"ok": false, "reason": "WHY"}';
    const { lastSent } = await runClaude({ project, script: [bash("touch made")], verdict });
    expect([existsSync(join(project.cwd, "made")), lastSent.includes("WHY")]).toEqual([false, true]);
  });
});
