import { describe, expect, it } from "vitest";
import type { AgentItem } from "../../src/agent.ts";
import type { HookRun } from "../../src/core/decide/decision.ts";
import { paint } from "../../src/terminal/paint.ts";
import { printedRun } from "../../src/terminal/run/printed-run.ts";

/** What a reader sees of items: in a pipe, or on a terminal of so many columns. */
function shown(items: readonly AgentItem[], width = Number.POSITIVE_INFINITY): string {
  const lines: string[] = [];
  const view = printedRun({
    paint: paint(false),
    width,
    folder: "/project",
    now: () => 0,
    print: (...more) => void lines.push(...more),
    warn: () => {},
  });
  for (const item of items) view.onItem(item);
  void view.end();
  return lines.join("\n");
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

describe("a run in a pipe", () => {
  it("leaves an answer as the model wrote it, with an empty line between text and calls", () => {
    expect(
      shown([
        ...text("\n Hel", "lo **you**.\n"),
        call("ls"),
        result("ls", "a"),
        ...text("Bye.", "\n\n"),
        call("x"),
        result("x", ""),
      ]),
    ).toBe("Hello **you**.\n\n● Bash  ls\n  a\n\nBye.\n\n● Bash  x");
  });

  it("shows each call of a message with what hooks did and its result, though all are judged first", () => {
    const items = [
      call("a"),
      call("b"),
      ran("guard", "PreToolUse", { outcome: { action: "deny", reason: "Not b." } }, "b"),
      call("c"),
      ran(
        "fix",
        "PreToolUse",
        {
          outcome: { action: "continue", rewrite: true },
          input_before: { command: "c", timeout: 1 },
          input_after: { command: "c -n", timeout: 1 },
        },
        "c",
      ),
      progress("a", "one\ntw"),
      progress("a", "o\n"),
      result("a", "one\ntwo"),
      result("b", "Not b.", DENIED),
      result("c", "fine"),
    ];
    expect(shown(items)).toBe(
      [
        "● Bash  a\n  one\n  two",
        "✗ Bash  b\n  denied by guard: Not b.",
        "↻ Bash  c -n  by fix\n  was: c\n  fine",
      ].join("\n"),
    );
  });

  it("shows calls in their order, though a later one ends first", () => {
    expect(shown([call("a"), call("b"), result("b", "second"), result("a", "first")])).toBe(
      "● Bash  a\n  first\n● Bash  b\n  second",
    );
  });

  it("says once why a gate that failed stays closed", () => {
    const failed = 'Hook "slow" failed (timeout): No answer.';
    const notice = { type: "notice", text: failed, level: "error", hook: "slow" } as const;
    expect(
      shown([call("a"), notice, result("a", failed, DENIED), call("b"), result("b", "Nobody.", DENIED)]),
    ).toBe(`✗ Bash  a\n  ${failed}\n✗ Bash  b\n  Nobody.`);
  });

  it("says once what a hook said, and of a reply in JSON what it did", () => {
    const about = { run_id: "r", hook: "log-errors", hook_event_name: "Error" };
    const spoken = (printed: string, outcome: object): readonly AgentItem[] => [
      { type: "hook_begin", ...about },
      { type: "hook_output", ...about, stream: "stdout", text: printed },
      ran("log-errors", "Error", { outcome: { action: "continue", ...outcome } }),
    ];
    const notice = { type: "notice", text: "written", level: "info", hook: "log-errors" } as const;
    expect(shown([...spoken("written\n", { user_messages: ["written"] }), notice])).toBe(
      "⚑ Hook(Error) log-errors\n  │ written",
    );
    expect(shown(spoken('{ "suppressOutput": true }\n', {}))).toBe("");
    expect(shown(spoken("looking\n", {}))).toBe("⚑ Hook(Error) log-errors\n  │ looking");
  });

  it("shows the beginning and the end of a long output, and how it ended", () => {
    const lines = Array.from({ length: 30 }, (_, at) => `line ${at}\n`).join("");
    const output = shown([
      call("a"),
      progress("a", lines),
      result("a", `${lines}Exit code 3.`, { is_error: true }),
    ]);
    expect(output.split("\n")).toEqual([
      "✗ Bash  a",
      ...[0, 1, 2, 3].map((at) => `  line ${at}`),
      "  … 22 more lines",
      ...[26, 27, 28, 29].map((at) => `  line ${at}`),
      "  Exit code 3.",
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
    ).toBe("a�[2Jb\n\n● Bash  x\n  red �!");
  });

  it("shows the programs of hook.toml as cells, and what they say", () => {
    const about = { run_id: "r", hook: "Hook(TurnStart)", hook_event_name: "TurnStart" };
    const run = { name: about.hook, handler: "command", event_id: "r", started_at: "", duration_ms: 12 };
    expect(
      shown([
        { type: "hook_begin", ...about, command: ["./look", "-a"] },
        { type: "hook_output", ...about, stream: "stdout", text: "looking" },
        { type: "hook_end", ...about, run: { ...run, exit_code: 1 } },
        { type: "hook_input", hook: "TurnStart", text: "Mind the gap." },
      ]),
    ).toBe("⚑ Hook(TurnStart) ./look -a\n  │ looking\n  exit code 1\n\nHookInput: Mind the gap.");
  });

  it("tells of a failed model call, and that it is tried again", () => {
    const error = { type: "error", error_type: "rate_limit", message: "Slow down." } as const;
    expect(shown([{ ...error, retry_in_ms: 500 }, error])).toBe(
      "rate_limit: Slow down. Trying again in 0.5 s.\n\nrate_limit: Slow down.",
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
    expect(shown(items)).toBe(
      "One.\n\n── turn 2, started by the hook tests-pass ──\nHookInput: 2 tests failed.\n\nTwo.",
    );
  });
});

it("on a terminal where nobody types, Markdown is drawn and no line is too long", () => {
  const reason = "This deletes from the root, a system folder or a home.";
  const items = [
    ...text("**Bold** words."),
    call("a"),
    ran("guard", "PreToolUse", { outcome: { action: "deny", reason } }, "a"),
    result("a", reason, DENIED),
  ];
  expect(shown(items, 44)).toBe(
    "  Bold words.\n\n  ✗ Bash  a\n    denied by guard: This deletes from\n    the root, a system folder or a home.",
  );
});
