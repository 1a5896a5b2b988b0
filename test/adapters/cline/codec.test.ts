import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { NativePayload } from "../../../src/adapters/adapter.ts";
import { cline } from "../../../src/adapters/cline/cline.ts";
import { clineSettings } from "../../../src/adapters/cline/integration.ts";
import { filesIn } from "../../../src/adapters/settings/owned-folder.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { adapterSuite } from "../support/adapter-suite.ts";
import { decisionOf } from "../support/decision.ts";
import { clineUnderstands } from "./understands.ts";

const { replyTo } = adapterSuite({
  adapter: cline,
  understands: clineUnderstands,
  // It only says that a subagent starts; the call that starts it can be refused.
  unstoppable: ["SubagentStart"],
  silence: "{}",
  eventKey: "hookName",
  folderOf: ({ workspaceRoots }) => Object(workspaceRoots)[0],
});

const PAYLOAD = {
  clineVersion: "",
  timestamp: "2026-11-16T08:00:00.000Z",
  taskId: "conv_1",
  sessionContext: { rootSessionId: "s1" },
  workspaceRoots: ["/home/dev/app"],
  userId: "dev",
  agent_id: "agent_1",
  parent_agent_id: null,
};

const call = (name: string, input: unknown, more: object = {}): NativePayload => ({
  ...PAYLOAD,
  ...more,
  hookName: "tool_call",
  tool_call: { id: "call_1", name, input },
});

const replied = async (payload: NativePayload, ...outcomes: readonly object[]): Promise<unknown> =>
  JSON.parse((await replyTo(payload, ...outcomes)).stdout);

describe("a call of Cline", () => {
  const file_path = "/home/dev/app/a.ts";
  it.each([
    ["run_commands", { commands: ["ls -l"] }, "Bash", { command: "ls -l" }],
    ["run_commands", { commands: "ls" }, "Bash", { command: "ls" }],
    ["run_commands", "ls", "Bash", { command: "ls" }],
    ["run_commands", ["ls", "pwd"], "Bash", { command: "ls\npwd" }],
    ["run_commands", { command: "ls" }, "Bash", { command: "ls" }],
    ["run_commands", { cmd: "ls" }, "Bash", { command: "ls" }],
    ["run_commands", { command: "rm", args: ["-r", "a b"] }, "Bash", { command: "rm -r 'a b'" }],
    [
      "run_commands",
      [{ command: "rm", args: ["a"] }, { command: "ls | wc" }],
      "Bash",
      { command: "rm a\nls | wc" },
    ],
    ["editor", { path: file_path, new_text: "a" }, "Write", { file_path, content: "a" }],
    [
      "editor",
      { path: file_path, old_text: "a", new_text: "b" },
      "Edit",
      { file_path, old_string: "a", new_string: "b" },
    ],
    ["read_files", { files: [{ path: file_path, start_line: 2 }] }, "Read", { file_path, start_line: 2 }],
    ["read_files", file_path, "Read", { file_path }],
    ["read_files", { file_paths: [file_path, "b"] }, "Read", { files: [{ path: file_path }, { path: "b" }] }],
    [
      "read_files",
      { files: ["b"], filePath: file_path },
      "Read",
      { files: [{ path: "b" }, { path: file_path }] },
    ],
    ["search_codebase", { queries: ["a+"] }, "Grep", { pattern: "a+" }],
    [
      "fetch_web_content",
      { requests: [{ url: "https://a.example", prompt: "Read" }] },
      "WebFetch",
      { url: "https://a.example", prompt: "Read" },
    ],
    [
      "fetch_web_content",
      { requests: [{ url: "https://a.example" }, { url: "https://b.example" }] },
      "WebFetch",
      {
        urls: ["https://a.example", "https://b.example"],
        requests: [{ url: "https://a.example" }, { url: "https://b.example" }],
      },
    ],
    ["apply_patch", "*** Begin Patch", "ApplyPatch", { input: "*** Begin Patch" }],
    ["github__push", { force: true }, "mcp__github__push", { force: true }],
    ["team_status", {}, "team_status", {}],
  ])("%s with %j is a call of %s", (name, input, tool_name, tool_input) => {
    expect(cline.decode(call(name, input))).toMatchObject({
      hook_event_name: "PreToolUse",
      session_id: "s1",
      cwd: "/home/dev/app",
      tool_use_id: "call_1",
      tool_name,
      tool_input,
    });
  });

  it.each([
    ["run_commands", { commands: ["ls", 5] }],
    ["run_commands", { commands: [{ command: "rm", args: [1] }] }],
    ["run_commands", { script: "rm -rf /" }],
    ["run_commands", null],
    ["read_files", { files: 5, path: "/etc/passwd" }],
  ])("%s with %j, which can't be read, is refused", async (name, input) => {
    const payload = call(name, input);
    await expect(replyTo(payload)).rejects.toThrow("tool_input");
    expect(clineUnderstands(cline.refuse(payload, "No."), payload).verdict).toBe("deny");
  });

  it("has every line judged, also behind one that leaves a quote or a here-document open", () => {
    const { tool_input } = cline.decode(
      call("run_commands", { commands: ["echo '", "rm -rf a", "cat <<E"] }),
    );
    expect(tool_input).toEqual({ command: "bash -c 'echo '\\'''\nrm -rf a\nbash -c 'cat <<E'" });
  });

  it("of a subagent names the agent; others name none", () => {
    const sub = cline.decode(call("team_status", {}, { agent_id: "agent_2", parent_agent_id: "agent_1" }));
    expect([sub.agent_id, sub.parent_agent_id]).toEqual(["agent_2", "agent_1"]);
    const main = cline.decode(call("team_status", {}));
    expect([main.agent_id, main.parent_agent_id]).toEqual([undefined, undefined]);
  });
});

describe("a reply to Cline", () => {
  const deny = { type: "deny", reason: "It's not `for` you." };

  it("refuses a command by one that only prints the reason, without a shell that could run it", async () => {
    expect(await replied(call("run_commands", { commands: ["ls", "pwd"] }), deny)).toEqual({
      overrideInput: {
        commands: [
          {
            command: "sh",
            args: ["-c", 'printf "%s\\n" "$1" >&2; exit 126', "tenterhook", "It's not `for` you."],
          },
        ],
      },
    });
  });

  it("refuses a call that another hook rewrites", async () => {
    const payload = call("editor", { path: "a", new_text: "b" });
    expect(await replied(payload, deny, { type: "rewrite", next: { file_path: "c", content: "d" } })).toEqual(
      {
        overrideInput: null,
        contextModification: "It's not `for` you.",
      },
    );
  });

  it("refuses its other tools by an input that they reject, with the reason as context", async () => {
    const context = { type: "context", text: "Ask Ann." };
    expect(await replied(call("editor", { path: "a", new_text: "b" }), deny, context)).toEqual({
      overrideInput: null,
      contextModification: "It's not `for` you.\n\nAsk Ann.",
    });
  });

  it("refuses a tool of an MCP server or of nobody knows whom by ending the run, since it may run without input", async () => {
    for (const name of ["github__push", "gmail_send"])
      expect(await replied(call(name, {}), deny)).toEqual({
        cancel: true,
        errorMessage: "It's not `for` you.",
      });
  });

  it.each([
    ["run_commands", { commands: ["a", "b"] }, { command: "c" }, { commands: ["c"] }],
    ["editor", { path: "a", new_text: "b" }, { file_path: "a", content: "c" }, { path: "a", new_text: "c" }],
    [
      "editor",
      { path: "a", old_text: "b", new_text: "c" },
      { file_path: "a", old_string: "b", new_string: "d" },
      { path: "a", old_text: "b", new_text: "d" },
    ],
    ["read_files", "a", { file_path: "b" }, { files: [{ path: "b" }] }],
    ["search_codebase", { queries: ["a"] }, { pattern: "b" }, { queries: ["b"] }],
    ["fetch_web_content", { requests: [{ url: "a" }] }, { url: "b" }, { requests: [{ url: "b" }] }],
    ["github__push", { force: true }, { force: false }, { force: false }],
  ])("rewrites %s from %j to %j in its own words", async (name, input, next, overrideInput) => {
    expect(await replied(call(name, input), { type: "rewrite", next })).toEqual({ overrideInput });
  });

  it("refuses instead of a rewrite that the tool would not take", async () => {
    const reply = await replyTo(call("run_commands", { commands: ["a"] }), {
      type: "rewrite",
      next: { command: "b", timeout: 5 },
    });
    expect(reply.losses).toMatchObject([{ effect: "rewrite", became: "deny" }, { effect: "user_message" }]);
    expect(reply.stdout).toContain("does not take these fields");
  });

  it("refuses instead of asking", async () => {
    const reply = await replyTo(call("run_commands", { commands: ["a"] }), { type: "ask", reason: "Sure?" });
    expect(reply.losses).toMatchObject([{ effect: "ask", became: "deny" }, { effect: "user_message" }]);
    expect(reply.stdout).toContain("Sure?");
  });

  it("has the model read context and the reason of a refusal behind the result", async () => {
    const payload = {
      ...PAYLOAD,
      hookName: "tool_result",
      tool_result: { id: "c", name: "editor", input: {}, output: "" },
    };
    expect(await replied(payload, deny, { type: "context", text: "Red." })).toEqual({
      contextModification: "It's not `for` you.\n\nRed.",
    });
    expect(await replied(payload, { type: "context", text: "Red." })).toEqual({
      contextModification: "Red.",
    });
    expect(await replied(payload, { type: "abort", reason: "Enough." })).toEqual({
      cancel: true,
      errorMessage: "Enough.",
    });
  });

  it("says that Cline cuts a long context", () => {
    const text = "x".repeat(50_001);
    const context = [{ text, hook: "a", role: "user", lifetime: "turn", recorded: true }] as const;
    const { losses, stderr } = cline.encode(decisionOf({ context }), cline.decode(call("team_status", {})));
    expect([losses.length, stderr]).toEqual([1, "Cline cuts what the model reads after 50000 characters."]);
  });
});

describe("another PreToolUse file", () => {
  const root = () => {
    const folder = temporaryFolder();
    const write = (path: string, text: string): void => {
      mkdirSync(join(folder, path, ".."), { recursive: true });
      writeFileSync(join(folder, path), text);
    };
    const { events } = clineSettings.wanted([{ events: ["PreToolUse"], timeout: 5 }]);
    const ours = filesIn(clineSettings.install(undefined, events)).get("PreToolUse.zsh") ?? "";
    write(".cline/hooks/PreToolUse.zsh", ours);
    return {
      payload: call("run_commands", { commands: ["a"] }, { workspaceRoots: [folder] }),
      write,
      folder,
    };
  };
  const deny = { type: "deny", reason: "No." };
  const rewrite = { type: "rewrite", next: { command: "b" } };

  it.each(["PreToolUse", "PreToolUse.sh", "pretooluse.ts"])(
    "%s that runs before ours changes nothing",
    async (name) => {
      const { payload, write } = root();
      write(`.cline/hooks/${name}`, "#!/bin/sh\necho '{}'\n");
      expect(await replied(payload, deny)).toMatchObject({
        overrideInput: { commands: [{ command: "sh" }] },
      });
      expect(await replied(payload, rewrite)).toEqual({ overrideInput: { commands: ["b"] } });
    },
  );

  it("that runs after ours could replace the input: a refusal ends the run, and a rewrite is refused", async () => {
    const { payload, write } = root();
    write(".clinerules/hooks/PreToolUse", "#!/bin/sh\necho '{}'\n");
    expect(await replied(payload, deny)).toEqual({ cancel: true, errorMessage: "No." });
    const { stdout, losses } = await replyTo(payload, rewrite);
    expect(JSON.parse(stdout)).toMatchObject({ cancel: true });
    expect(losses[0]?.message).toMatch(/Cline runs .*\.clinerules\/hooks\/PreToolUse after our hook/);
  });

  it("is looked for where the agent's own variables say, not those of the process that decides", () => {
    const { payload, write, folder } = root();
    write("settings/hooks/PreToolUse", "#!/bin/sh\necho '{}'\n");
    const event = cline.decode(payload);
    const refusal = {
      action: "deny",
      reason: "No.",
      context: [],
      user_messages: [],
      hook_inputs: [],
      runs: [],
    } as const;
    const environment = { HOME: folder, CLINE_DIR: join(folder, "settings") };
    expect(JSON.parse(cline.encode(refusal, event, {}, environment).stdout)).toEqual({
      cancel: true,
      errorMessage: "No.",
    });
    expect(JSON.parse(cline.refuse(payload, "No.", environment).stdout)).toMatchObject({ cancel: true });
  });
});
