import { describe, expect, it } from "vitest";
import { pressChat } from "../../src/terminal/chat/press.ts";
import { type ChatEffect, type ChatState, NEW_CHAT } from "../../src/terminal/chat/state.ts";
import type { Key } from "../../src/terminal/input/key.ts";
import { lineOf } from "../../src/terminal/input/line.ts";

const CTRL_C: Key = { text: "c", ctrl: true };

/** Presses keys one after the other. */
function press(state: ChatState, ...keys: readonly Key[]) {
  const effects: ChatEffect[] = [];
  let now = state;
  for (const key of keys) {
    const { state: next, effect } = pressChat(now, key);
    now = next;
    if (effect !== undefined) effects.push(effect);
  }
  return { state: now, effects };
}

describe("Ctrl-C", () => {
  it("leaves when it comes twice, however late the second one is", () => {
    const { state, effects } = press(NEW_CHAT, CTRL_C);
    expect(state).toMatchObject({ notice: "Ctrl-C again leaves.", leavesNext: true });
    expect(effects).toEqual([]);
    expect(press(state, CTRL_C).effects).toEqual([{ type: "leave" }]);
  });

  it.each<[string, Key]>([
    ["a letter", { text: "a" }],
    ["Ctrl-O", { text: "o", ctrl: true }],
  ])("does not leave after %s: the warning is gone from the screen", (_name, key) => {
    expect(press(NEW_CHAT, CTRL_C, key, CTRL_C).effects).not.toContainEqual({ type: "leave" });
  });

  it("only empties a line that holds something, and interrupts a turn", () => {
    expect(press({ ...NEW_CHAT, line: lineOf("half a") }, CTRL_C).state).toMatchObject({
      line: { text: "" },
      leavesNext: false,
    });
    expect(press({ ...NEW_CHAT, busySince: 0 }, CTRL_C).effects).toEqual([{ type: "interrupt" }]);
  });
});

it("letters with Ctrl or Alt answer no question for a permission", () => {
  const asking: ChatState = {
    ...NEW_CHAT,
    dialogs: [{ type: "approval", id: 1, request: { kind: "permission" }, lasting: "Bash" }],
  };
  const keys = ["y", "s", "n", "w"].flatMap((text) => [
    { text, ctrl: true },
    { text, meta: true },
  ]);
  expect(press(asking, ...keys)).toMatchObject({ state: { dialogs: asking.dialogs }, effects: [] });
  expect(press(asking, { text: "y" }).effects).toEqual([{ type: "approval", id: 1, approval: true }]);
});
