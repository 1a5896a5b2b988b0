import { describe, expect, test } from "vitest";
import type { AgentItem } from "../../src/agent.ts";
import { cellLines, isApart, liveLines } from "../../src/terminal/cells/draw/cell-lines.ts";
import { reduceItem } from "../../src/terminal/cells/reduce.ts";
import { type CellState, NO_CELLS, withCells } from "../../src/terminal/cells/state.ts";
import { bottomLines } from "../../src/terminal/chat/draw/bottom.ts";
import { type ChatState, NEW_CHAT } from "../../src/terminal/chat/state.ts";
import { columns } from "../../src/terminal/layout.ts";
import { paint } from "../../src/terminal/paint.ts";

const FOLDER = "/code/shop";
const PLAIN = paint(false);

/** Items a second apart. */
function cellsOf(items: readonly AgentItem[], first: CellState = NO_CELLS): CellState {
  return items.reduce((state, item, at) => reduceItem(state, item, at * 1000), first);
}

const call = (id: string, command: string): AgentItem => ({
  type: "tool_call",
  tool_use_id: id,
  tool_name: "Bash",
  tool_input: { command },
});

const result = (id: string, content: string, more: object = {}): AgentItem => ({
  type: "tool_result",
  tool_use_id: id,
  tool_name: "Bash",
  content,
  is_error: false,
  duration_ms: 21_000,
  ...more,
});

const text = (piece: string): AgentItem => ({ type: "text_delta", message_id: "m1", text: piece });

const hook = (
  type: "begin" | "end",
  id: string,
  name: string,
  event: string,
  more: object = {},
): AgentItem => {
  const about = { run_id: id, hook: name, hook_event_name: event };
  if (type === "begin") return { type: "hook_begin", ...about };
  const run = { name, handler: "command", event_id: "e", started_at: "", duration_ms: 6000 };
  const { tool_use_id, ...rest } = { tool_use_id: undefined, ...more };
  return {
    type: "hook_end",
    ...about,
    ...(tool_use_id === undefined ? {} : { tool_use_id }),
    run: { ...run, ...rest },
  };
};

const RELEASE: readonly AgentItem[] = [
  { type: "turn_start", turn_id: "t1", is_hook_input_turn: false },
  text("I'll run its **tests** first.\n\nThen:\n\n- `npm test`\n- a tag\n"),
  call("c1", "npm test -w packages/cart"),
  { type: "tool_progress", tool_use_id: "c1", text: "142 passed\n", stream: "stdout" },
  result("c1", "142 passed\n"),
  call("c2", "git push --force origin main"),
  hook("begin", "h1", "no-force-push", "PreToolUse"),
  hook("end", "h1", "no-force-push", "PreToolUse", {
    tool_use_id: "c2",
    outcome: { action: "deny", reason: "Use --force-with-lease on your own branch." },
  }),
  result("c2", "Denied.", { is_error: true, outcome: "denied", duration_ms: 3 }),
  call("c3", "npm version minor"),
  hook("end", "h2", "tags-by-ci", "PreToolUse", {
    tool_use_id: "c3",
    outcome: { action: "allow", rewrite: true },
    input_before: { command: "npm version minor" },
    input_after: { command: "npm version minor --no-git-tag-version" },
  }),
  result("c3", "v3.2.0", { duration_ms: 400 }),
  hook("begin", "h3", "tests-pass", "Stop"),
  {
    type: "hook_output",
    run_id: "h3",
    hook: "tests-pass",
    hook_event_name: "Stop",
    stream: "stdout",
    text: "> vitest run\n ✓ cart.test.ts (31)\n",
  },
  hook("end", "h3", "tests-pass", "Stop", { exit_code: 0 }),
  { type: "turn_start", turn_id: "t2", is_hook_input_turn: true, hook: "tests-pass" },
  { type: "hook_input", hook: "tests-pass", text: "2 tests failed in tax.test.ts. Go on until they pass." },
  {
    type: "tool_call",
    tool_use_id: "c4",
    tool_name: "Edit",
    tool_input: {
      file_path: "/code/shop/packages/cart/src/tax.ts",
      old_string: "export const tax = (net) => {\n  return net * rate\n}",
      new_string: "export const tax = (net) => {\n  return round(net * rate, 2)\n}",
    },
  },
  result("c4", "Edited.", { tool_name: "Edit", duration_ms: 5 }),
  { type: "usage", usage: { total_tokens: 48_200, cost_usd: 0.21, context_left: 0.61 } },
];

const RUNNING: readonly AgentItem[] = [
  ...RELEASE,
  {
    type: "tool_call",
    tool_use_id: "c5",
    tool_name: "Task",
    tool_input: { description: "Read the changelogs" },
  },
  {
    type: "subagent",
    agent_id: "a1",
    agent_type: "reader",
    description: "Read the changelogs",
    item: {
      type: "tool_call",
      tool_use_id: "s1",
      tool_name: "Read",
      tool_input: { file_path: "CHANGELOG.md" },
    },
  },
  hook("begin", "h4", "slow-check", "PreToolUse"),
];

function drawn(state: ChatState, size: { readonly width: number; readonly height: number }): string {
  const { done } = state.cells;
  const options = { width: size.width, paint: PLAIN, now: 60_000, folder: FOLDER };
  const lines = done.flatMap((cell, at) => [
    ...(isApart(done[at - 1], cell) ? [""] : []),
    ...cellLines(cell, options),
  ]);
  const bottom = bottomLines(state, { ...options, height: size.height });
  return `${[...lines, ...liveLines(state.cells, options), ...bottom].join("\n")}\n`;
}

/** The cursor as brackets. */
function withCursor(shown: string): string {
  return shown.replaceAll("\u001b[7m", "[").replaceAll("\u001b[27m", "]");
}

const CHAT: ChatState = { ...NEW_CHAT, model: "anthropic/claude-opus-5-5", hookCount: 23, busySince: 48_000 };

function linesOf(items: readonly AgentItem[]): readonly string[] {
  const options = { width: 100, paint: PLAIN, now: 60_000, folder: FOLDER };
  const { done, live } = cellsOf(items);
  return [...done, ...live].flatMap((cell) => cellLines(cell, options));
}

test("a call shows what a person has answered, and after how long", () => {
  const answered = (id: string, done: "allowed" | "refused", more: object): AgentItem => ({
    type: "person_answer",
    tool_use_id: id,
    done,
    by: "user",
    asked_ms: 4100,
    ...more,
  });
  const shown = linesOf([
    call("c1", "npm publish"),
    answered("c1", "allowed", {}),
    result("c1", "", { duration_ms: 5 }),
    call("c2", "npm unpublish"),
    answered("c2", "refused", { by: "Anna", words: "not today" }),
    result("c2", "The user refused this call: not today", {
      is_error: true,
      outcome: "denied",
      duration_ms: 3,
    }),
  ]);
  expect(shown).toEqual([
    "  ● Bash  npm publish",
    "    allowed by you after 4 s",
    "  ✗ Bash  npm unpublish",
    "    refused by Anna after 4 s: not today",
  ]);
});

test("a reason that several hooks have is shown once", () => {
  const denies = (name: string): AgentItem =>
    hook("end", name, name, "PreToolUse", {
      tool_use_id: "c1",
      outcome: { action: "deny", reason: "Not from here." },
    });
  const shown = linesOf([call("c1", "git push"), denies("one"), denies("two"), denies("three")]);
  expect(shown).toEqual([
    "  ✗ Bash  git push",
    "    denied by one, denied by two, denied by three: Not from here.",
  ]);
});

describe.each([
  { width: 80, height: 24 },
  { width: 140, height: 40 },
])("at $width x $height", (size) => {
  const golden = (name: string): string => `golden/chat-${name}-${size.width}x${size.height}.txt`;

  test("a conversation with its hooks", async () => {
    const asked = withCells(NO_CELLS, { type: "user", text: "Release the cart package" });
    const shown = drawn({ ...CHAT, cells: cellsOf(RUNNING, asked) }, size);
    for (const line of shown.split("\n")) expect(columns(line)).toBeLessThanOrEqual(size.width);
    await expect(withCursor(shown)).toMatchFileSnapshot(golden("release"));
  });

  test("an approval, a question and a choice take the place of the input line", async () => {
    const request = {
      kind: "permission",
      tool_name: "Bash",
      tool_input: { command: "npm publish --access public" },
      reason: "ask-before-publishing: Is the version right?",
    } as const;
    const dialogs = [
      [{ type: "approval", id: 1, request, lasting: "npm publish --access public", until: 641_000 }],
      [
        {
          type: "question",
          id: 2,
          questions: [
            {
              question: "Which colour?",
              options: [{ label: "Blue", description: "Calm." }, { label: "Red" }],
            },
          ],
          answers: [],
          line: { text: "Bl", at: 2 },
        },
      ],
      [
        {
          type: "choose",
          title: "Which session?",
          options: [{ value: "a", label: "Release", age: "4 min" }],
          at: 0,
        },
      ],
    ] as const satisfies readonly ChatState["dialogs"][];
    const shown = dialogs.map((one) => drawn({ ...CHAT, dialogs: one }, size)).join("\n");
    await expect(withCursor(shown)).toMatchFileSnapshot(golden("dialogs"));
  });
});

test("the same items give the same cells, however the answer was cut into pieces", () => {
  const answer = "First.\n\n```ts\nconst a = 1;\n\nconst b = 2;\n```\n\nLast.";
  const whole = cellsOf([text(answer), call("c1", "ls")]);
  const pieces = cellsOf([...[...answer].map(text), call("c1", "ls")]);
  const texts = ({ done }: CellState) =>
    done.map((cell) => (cell.type === "text" ? cell.text.trim() : cell.type));
  expect(texts(pieces)).toEqual(["First.", "```ts\nconst a = 1;\n\nconst b = 2;\n```", "Last."]);
  expect(texts(whole).join("\n\n")).toBe(texts(pieces).join("\n\n"));
});

test("50,000 lines of output stay few, with their number and both ends", () => {
  const lines = Array.from({ length: 50_000 }, (_, at) => `line ${at + 1}\n`);
  const pieces = Array.from({ length: 500 }, (_, at) => lines.slice(at * 100, at * 100 + 100).join(""));
  const { live } = cellsOf([
    call("c1", "seq"),
    ...pieces.map(
      (piece): AgentItem => ({ type: "tool_progress", tool_use_id: "c1", text: piece, stream: "stdout" }),
    ),
  ]);
  const [cell] = live;
  if (cell?.type !== "tool") throw new Error("There is no call.");
  const { count, head, tail } = cell.output;
  expect({ count, kept: head.length + tail.length, first: head[0], last: tail.at(-1) }).toEqual({
    count: 50_000,
    kept: 1000,
    first: "line 1",
    last: "line 50000",
  });
});

test("what an agent or a program says can't act on the terminal", () => {
  const state = cellsOf([
    text("a\u001b[2Jb\n\n"),
    call("c1", "printf '\u001b]0;title\u0007'"),
    { type: "tool_progress", tool_use_id: "c1", text: "x\u001b[2Jy\u0007z\n", stream: "stdout" },
    result("c1", ""),
  ]);
  const dialogs = [{ type: "choose", title: "T", options: [], at: 0 }] as const;
  const shown = drawn({ ...CHAT, cells: state, dialogs }, { width: 80, height: 24 });
  expect(["\u001b", "\u0007"].filter((character) => shown.includes(character))).toEqual([]);
});

test("a run that is over leaves nothing that looks as if it ran", () => {
  const done: AgentItem = {
    type: "done",
    result: {
      agent_id: "a",
      session_id: "s",
      text: "",
      usage: {},
      stop_reason: "cancelled",
      turns: 1,
      iterations: 1,
    },
  };
  const {
    live,
    hooks,
    done: cells,
  } = cellsOf([call("c1", "sleep 600"), hook("begin", "h1", "slow", "Stop"), done]);
  expect([live, hooks, cells.map((cell) => (cell.type === "tool" ? cell.end?.state : cell.type))]).toEqual([
    [],
    [],
    ["interrupted"],
  ]);
});

test.each([
  [399, []],
  [400, ["hook"]],
])("a hook whose reply is all it printed and that took %i ms leaves %j", (duration_ms, cells) => {
  const { done, live } = cellsOf([
    hook("begin", "h1", "remind", "PostToolUse"),
    {
      type: "hook_output",
      run_id: "h1",
      hook: "remind",
      hook_event_name: "PostToolUse",
      text: '{"decision":"approve"}\n',
      stream: "stdout",
    },
    hook("end", "h1", "remind", "PostToolUse", { duration_ms, outcome: { context: ["Tell the team."] } }),
  ]);
  expect([...done, ...live].map(({ type }) => type)).toEqual(cells);
});

describe("a subagent", () => {
  const inside = (item: AgentItem): AgentItem => ({
    ...{ type: "subagent", agent_id: "a1", agent_type: "reader", description: "Look" },
    item,
  });
  const reason =
    "This deletes from the root, a system folder or a home. Name the one folder of the project that should go.";
  const answer =
    "Tidying up was refused, so I left everything in this folder as it was, and the rest is fine to me.";
  const items: readonly AgentItem[] = [
    { type: "tool_call", tool_use_id: "t1", tool_name: "Task", tool_input: { description: "Look" } },
    inside(call("s1", "cd / && rm -rf home")),
    inside(
      hook("end", "h1", "guard", "PreToolUse", { tool_use_id: "s1", outcome: { action: "deny", reason } }),
    ),
    inside(result("s1", reason, { is_error: true, outcome: "denied" })),
    result("t1", answer, { tool_name: "Task" }),
  ];

  test("is refused with the whole reason, and its answer is whole", () => {
    const shown = drawn({ ...NEW_CHAT, cells: cellsOf(items) }, { width: 80, height: 24 }).replaceAll(
      /\s+/g,
      " ",
    );
    expect(shown).toContain(reason);
    expect(shown).toContain(answer);
  });
});
