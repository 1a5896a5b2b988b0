import { stripVTControlCharacters } from "node:util";
import { describe, expect, it, test } from "vitest";
import type { Key } from "../../src/terminal/input/key.ts";
import { columns } from "../../src/terminal/layout.ts";
import { paint } from "../../src/terminal/paint.ts";
import { drawFrame } from "../../src/terminal/top/draw/frame.ts";
import type { SeenAgent, TimelineEntry } from "../../src/terminal/top/port.ts";
import { pressed } from "../../src/terminal/top/press.ts";
import {
  answered,
  type Effect,
  FIRST_STATE,
  looked,
  lookFailed,
  type TopState,
  timelineRead,
} from "../../src/terminal/top/state.ts";
import { MIGRATION, MORNING, manyAgents, NOW } from "./support/seen.ts";

const SIZES = [
  { width: 80, height: 24 },
  { width: 140, height: 40 },
] as const;
const PLAIN = paint(false);

/** The screen after these keys, a second after the agents were seen. */
function top(agents: readonly SeenAgent[] = MORNING, size: { width: number; height: number } = SIZES[0]) {
  let state: TopState = looked(FIRST_STATE, { agents, warnings: [] }, NOW - 1000);
  const effects: Effect[] = [];
  const self = {
    press(...keys: readonly (string | Key)[]) {
      for (const key of keys) {
        const { drawn } = drawFrame(state, size, PLAIN, NOW);
        const next = pressed(state, typeof key === "string" ? keyOf(key) : key, drawn, NOW);
        state = next.state;
        if (next.effect !== undefined) effects.push(next.effect);
      }
      return self;
    },
    type: (text: string) => self.press(...[...text].map((letter) => ({ text: letter }))),
    set(step: (state: TopState) => TopState) {
      state = step(state);
      return self;
    },
    state: () => state,
    effects,
    lines: () => drawFrame(state, size, PLAIN, NOW).lines,
    screen: () => `${drawFrame(state, size, PLAIN, NOW).lines.join("\n")}\n`,
  };
  return self;
}

function keyOf(name: string): Key {
  const named = ["up", "down", "pageup", "pagedown", "home", "end", "return", "escape"] as const;
  const found = named.find((one) => one === name);
  return found === undefined ? { text: name } : { text: "", name: found };
}

const ENTRIES: readonly TimelineEntry[] = [
  {
    time: new Date(NOW - 60_000).toISOString(),
    verdict: "·",
    weight: "plain",
    call: "Bash npm test",
    why: "",
  },
  {
    time: new Date(NOW - 50_000).toISOString(),
    verdict: "deny",
    weight: "stopped",
    call: "Bash git push --force origin main",
    why: "no-force-push: Use --force-with-lease on your own branch.",
  },
  {
    time: new Date(NOW - 40_000).toISOString(),
    verdict: "ask → allowed",
    weight: "asked",
    call: "Bash docker compose down -v",
    why: "containers: Deletes volumes.",
  },
];

describe.each(SIZES)("at $width x $height", (size) => {
  const golden = (name: string): string => `golden/top-${name}-${size.width}x${size.height}.txt`;

  test("the list, with what the first agent asks", async () => {
    await expect(top(MORNING, size).screen()).toMatchFileSnapshot(golden("list"));
  });

  test("one agent", async () => {
    const shown = top(MORNING, size).press("return");
    shown.set((state) => timelineRead(state, "codex in api", ENTRIES));
    await expect(shown.screen()).toMatchFileSnapshot(golden("agent"));
  });

  test("the help", async () => {
    await expect(top(MORNING, size).press("?").screen()).toMatchFileSnapshot(golden("help"));
  });

  test("200 agents, in the middle", async () => {
    const shown = top(manyAgents(200), size).press("end", "pageup", "pageup", "down");
    expect(shown.lines().filter((line) => line.startsWith("›")).length).toBe(1);
    await expect(shown.screen()).toMatchFileSnapshot(golden("many"));
  });
});

test.each([
  [20, 4],
  [40, 1],
  [44, 9],
  [60, 12],
  [79, 8],
  [200, 60],
])("every line fits on a screen of %i x %i, and there are no more than it has", (width, height) => {
  const wide = MORNING.map((seen) => ({ ...seen, name: "日本語の名前".repeat(9), what: "質問".repeat(60) }));
  for (const shown of [MORNING, manyAgents(200), wide].map((agents) => top(agents, { width, height })))
    for (const keys of [[], ["?"], ["return"], ["a"], ["/"]]) {
      const lines = shown.press("escape", ...keys).lines();
      expect(lines.length).toBeLessThanOrEqual(height);
      if (width >= 40)
        for (const line of lines) expect(columns(stripVTControlCharacters(line))).toBeLessThanOrEqual(width);
      shown.press("escape", "escape");
    }
});

test("a digit answers with an option, a answers in words, esc leaves it for later", () => {
  const shown = top().press("2");
  expect(shown.effects).toEqual([{ type: "answer", request: MIGRATION, given: ["2"] }]);
  shown.press("a").type("Ask Anna.").press("return");
  expect(shown.effects.slice(1)).toEqual([{ type: "answer", request: MIGRATION, given: ["Ask Anna."] }]);
  shown.press("a").type("no").press("escape");
  expect([shown.effects.length, shown.state().mode.type]).toEqual([2, "keys"]);
});

test("a choice that needs words asks for them", () => {
  const shown = top().press("2");
  const [effect] = shown.effects;
  if (effect?.type !== "answer") throw new Error("Nothing was answered.");
  shown.set((state) => answered(state, effect, { wants: "message" }));
  expect(shown.screen()).toContain("What is to change?");
  shown.type("Less.").press("return");
  expect(shown.effects[1]).toEqual({ type: "answer", request: MIGRATION, given: ["2"], message: "Less." });
});

test("several questions are answered one after the other, and sent together", () => {
  const request = { ...MIGRATION, questions: [...(MIGRATION.questions ?? []), "And when?"] };
  const [first] = MORNING;
  if (first === undefined) throw new Error("There is no agent.");
  const shown = top([{ ...first, asks: { request, title: "asks a question" } }]).press("1");
  expect(shown.effects).toEqual([]);
  expect(shown.screen()).toMatch(/\(2 of 2\)[\s\S]*And when\?/);
  shown.type("Tonight").press("return");
  expect(shown.effects).toEqual([{ type: "answer", request, given: ["1", "Tonight"] }]);
});

test("what has just come can't be answered by a key that was meant for something else", () => {
  const shown = top([]).set((state) => looked(state, { agents: MORNING, warnings: [] }, NOW - 100));
  shown.press("1");
  expect(shown.effects).toEqual([]);
  expect(shown.screen()).toContain("The question has just changed");
});

test("a key that does nothing says why", () => {
  const shown = top();
  const notices = (...keys: readonly string[]) => shown.press(...keys).state().notice;
  expect(notices("9")).toBe("It has 3 options.");
  expect(notices("x")).toBe("codex in api waits for your answer: a answers.");
  expect(notices("down", "a")).toContain("Answer in its own terminal: no hook of it waits");
  expect(notices("end", "1")).toBe("nightly-deps asks nothing.");
  expect(top([]).press("return").state().notice).toBe("There is no agent to open.");
  expect(shown.effects).toEqual([]);
});

test("the list is filtered by words and by state, and esc shows all again", () => {
  const names = (shown: ReturnType<typeof top>) =>
    MORNING.filter(({ name }) => shown.lines().some((line) => `${line} `.includes(`  ${name} `))).map(
      ({ name }) => name,
    );
  expect(names(top().press("/").type("web"))).toEqual(["gemini in web", "opencode in web"]);
  expect(names(top().press("f"))).toEqual(["claude in docs", "old-one"]);
  expect(names(top().press("w", "w")).length).toBe(9);
  expect(names(top().press("/").type("web").press("return", "escape")).length).toBe(9);
  expect(top().press("/").type("nothing like it").screen()).toContain("No agent is like that");
});

test("the choice stays on its agent when the order changes", () => {
  const shown = top().press("down", "down");
  const agents = [...MORNING].reverse().filter(({ name }) => name !== "codex in api");
  shown.set((state) => looked(state, { agents, warnings: [] }, NOW));
  expect(shown.lines().find((line) => line.startsWith("›"))).toContain("claude in docs");
});

test("a click chooses an agent, and another one opens it; the wheel moves", () => {
  const click = (row: number): Key => ({ text: "", mouse: { type: "press", row, column: 5 } });
  const shown = top().press(click(4));
  expect(shown.lines()[4]).toMatch(/^›/);
  const chosen = shown.state().selected;
  shown.press(click(4));
  expect([shown.state().opened?.agent_id, shown.effects[0]?.type]).toEqual([chosen, "open"]);
  const wheel: Key = { text: "", mouse: { type: "wheel-down", row: 0, column: 0 } };
  expect(
    top()
      .press(wheel)
      .lines()
      .findIndex((line) => line.startsWith("›")),
  ).toBe(5);
});

it("stays where it was read when a timeline grows", () => {
  const many = Array.from({ length: 100 }, (_, at) => ({
    ...(ENTRIES[0] as TimelineEntry),
    call: `call ${at}`,
  }));
  const shown = top().press("return");
  shown.set((state) => timelineRead(state, "codex in api", many.slice(0, 90))).press("pageup");
  const [before] = [shown.lines()[8]];
  shown.set((state) => timelineRead(state, "codex in api", many));
  expect(shown.lines()[8]).toBe(before);
});

test("without a monitor the last look stays, with the reason", () => {
  const shown = top().set((state) => lookFailed(state, "The monitor does not answer."));
  expect(shown.screen()).toMatch(
    /The monitor does not answer\. Trying again every second;[\s\S]*codex in api/,
  );
});
