import { describe, expect, it } from "vitest";
import type { AgentItem } from "../../../src/agent.ts";
import { paint, type Screen } from "../../../src/cli/command-line/screen/screen.ts";
import { humanView } from "../../../src/cli/commands/agent/run/view/view.ts";
import type { HookRun } from "../../../src/core/decide/decision.ts";

/** What a reader sees of items, on a screen of so many columns. */
function shown(items: readonly AgentItem[], width = Number.POSITIVE_INFINITY): string {
  let output = "";
  const screen: Screen = {
    paint: paint(false),
    paintError: paint(false),
    width,
    height: Number.POSITIVE_INFINITY,
    interactive: false,
    print: (...lines) => {
      output += lines.map((line) => `${line}\n`).join("");
    },
    write: (text) => {
      output += text;
    },
    tell: () => {},
    json: () => {},
    jsonLine: () => {},
  };
  const { show } = humanView(screen, "/project");
  for (const item of items) show(item);
  return output;
}

function text(...pieces: readonly string[]): readonly AgentItem[] {
  return pieces.map((piece) => ({ type: "text_delta", message_id: "m", text: piece }) as const);
}

function call(tool_use_id: string, command = tool_use_id): AgentItem {
  return { type: "tool_call", tool_use_id, tool_name: "Bash", tool_input: { command } };
}

function progress(tool_use_id: string, piece: string): AgentItem {
  return { type: "tool_progress", tool_use_id, text: piece, stream: "stdout" };
}

function result(tool_use_id: string, content: string, more: Partial<ToolResult> = {}): AgentItem {
  const about = { type: "tool_result", tool_use_id, tool_name: "Bash", is_error: false } as const;
  return { ...about, content, duration_ms: 1, ...more };
}

type ToolResult = Extract<AgentItem, { type: "tool_result" }>;

function ran(hook: string, hook_event_name: string, run: Partial<HookRun>, call?: string): AgentItem {
  const whole = { name: hook, handler: "inline", event_id: "e", started_at: "", duration_ms: 1, ...run };
  const about = call === undefined ? {} : { tool_use_id: call };
  return { type: "hook_end", run_id: "r", hook, hook_event_name, ...about, run: whole };
}

const DENIED = { outcome: "denied", is_error: true } as const;

describe("the view of a run", () => {
  it("puts an empty line between text and calls, however the text ends", () => {
    expect(
      shown([...text("\n Hel", "lo.\n"), call("ls"), result("ls", "a"), ...text("Bye.", "\n\n"), call("x")]),
    ).toBe("Hello.\n\n> Bash  ls\n  | a\n\nBye.\n\n> Bash  x\n");
  });

  it("shows each call of a message with what hooks did and its result, though all are judged first", () => {
    const items = [
      call("a"),
      call("b"),
      ran("guard", "PreToolUse", { outcome: { action: "deny", reason: "Not b." } }),
      call("c"),
      ran("fix", "PreToolUse", {
        outcome: { action: "continue", rewrite: true },
        input_before: { command: "c", timeout: 1 },
        input_after: { command: "c -n", timeout: 1 },
      }),
      progress("a", "one\ntw"),
      progress("a", "o\n"),
      result("a", "one\ntwo"),
      result("b", "Not b.", DENIED),
      ran("after", "PostToolUse", {
        outcome: { action: "continue", rewrite: true },
        input_before: 1,
        input_after: 2,
      }),
      result("c", "fine"),
    ];
    expect(shown(items)).toBe(
      [
        "> Bash  a\n  | one\n  | two\n",
        "> Bash  b\n  denied by guard: Not b.\n",
        '> Bash  c\n  rewritten by fix: command "c" -> "c -n"\n  rewritten by after: 1 -> 2\n  | fine\n',
      ].join("\n"),
    );
  });

  it("puts what hooks say of a call below it, though another one is being judged", () => {
    const outcome = { action: "deny", reason: "Not a." } as const;
    expect(
      shown([
        call("a"),
        call("b"),
        ran("late", "PreToolUse", { outcome }, "a"),
        result("a", "Not a.", DENIED),
        result("b", "fine"),
      ]),
    ).toBe("> Bash  a\n  denied by late: Not a.\n\n> Bash  b\n  | fine\n");
  });

  it("shows results as they come, and a call again that ends after a later one", () => {
    expect(shown([call("a"), call("b"), result("b", "second"), result("a", "first")])).toBe(
      "> Bash  a\n\n> Bash  b\n  | second\n\n> Bash  a\n  | first\n",
    );
  });

  it("says once why a gate that failed stays closed, and always who else refused", () => {
    const failed = 'Hook "slow" failed (timeout): No answer.';
    const notice = { type: "notice", text: failed, level: "error", hook: "slow" } as const;
    expect(
      shown([call("a"), notice, result("a", failed, DENIED), call("b"), result("b", "Nobody.", DENIED)]),
    ).toBe(`> Bash  a\n  ${failed}\n  denied: the gate stays closed\n\n> Bash  b\n  denied: Nobody.\n`);
  });

  it("shows a screenful of output: the beginning as it comes, the end when it is over", () => {
    const lines = Array.from({ length: 30 }, (_, at) => `line ${at}\n`).join("");
    const end = "Exit code 3.";
    const output = shown([
      call("a"),
      progress("a", lines),
      result("a", `${lines}${end}`, { is_error: true }),
    ]);
    expect(output.split("\n").slice(0, 3)).toEqual(["> Bash  a", "  | line 0", "  | line 1"]);
    expect(output.split("\n").slice(-8)).toEqual([
      "  | line 11",
      "  … 14 lines more",
      ...[26, 27, 28, 29].map((at) => `  | line ${at}`),
      "  Exit code 3.",
      "",
    ]);
  });

  it("takes colours out of output, and marks what else could act on the terminal", () => {
    expect(
      shown([
        ...text("a\u001b[2Jb"),
        call("x"),
        progress("x", "\u001b[31mred\u001b[0m \u0007!\r\n"),
        result("x", ""),
      ]),
    ).toBe("a�[2Jb\n\n> Bash  x\n  | red �!\n");
  });

  it("shows the programs of hook.toml as cells, and what they say", () => {
    const about = { run_id: "r", hook: "Hook(TurnStart)", hook_event_name: "TurnStart" };
    const run = {
      name: about.hook,
      handler: "command",
      event_id: "r",
      started_at: "",
      duration_ms: 12,
      exit_code: 1,
    };
    expect(
      shown([
        { type: "hook_begin", ...about, command: ["./look", "-a"] },
        { type: "hook_output", ...about, stream: "stdout", text: "looking" },
        { type: "hook_end", ...about, run },
        { type: "hook_input", hook: "TurnStart", text: "Mind the gap." },
      ]),
    ).toBe("Hook(TurnStart)  ./look -a\n  | looking\n  exit 1, 12 ms\n\nHookInput: Mind the gap.\n");
  });

  it("breaks long notes between words on a narrow screen", () => {
    const reason = "This deletes from the root, a system folder or a home.";
    const items = [call("a"), ran("guard", "PreToolUse", { outcome: { action: "deny", reason } })];
    expect(shown(items, 44)).toBe(
      "> Bash  a\n  denied by guard: This deletes from the\n    root, a system folder or a home.\n",
    );
  });

  it("tells of a failed model call, and that it is tried again", () => {
    const error = { type: "error", error_type: "rate_limit", message: "Slow down." } as const;
    expect(shown([{ ...error, retry_in_ms: 500 }, error])).toBe(
      "rate_limit: Slow down.\nTrying again in 0.5 s.\n\nrate_limit: Slow down.\n",
    );
  });

  it("separates a turn that a hook started from the one before, and names the hook", () => {
    const turn = (turn_id: string, hook?: string): AgentItem => ({
      type: "turn_start",
      turn_id,
      is_hook_input_turn: hook !== undefined,
      ...(hook === undefined ? {} : { hook }),
    });
    const items = [
      turn("a"),
      ...text("One."),
      turn("b", "tests-pass"),
      { type: "hook_input", hook: "tests-pass", text: "2 tests failed." } as const,
      ...text("Two."),
    ];
    const separator = "── turn 2, started by the hook tests-pass ──";
    expect(shown(items)).toBe(`One.\n\n${separator}\n\nHookInput: 2 tests failed.\n\nTwo.`);
    expect(shown(items, 50)).toBe(`One.\n\n${separator}──────\n\nHookInput: 2 tests failed.\n\nTwo.`);
  });

  it("shows no separator for turns of the user", () => {
    const turn = { type: "turn_start", turn_id: "a", is_hook_input_turn: false } as const;
    expect(shown([turn, ...text("One."), turn, ...text(" Two.")])).toBe("One. Two.");
  });
});
