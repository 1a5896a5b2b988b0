import { expect, it } from "vitest";
import { keyReader } from "../../src/terminal/input/key.ts";

/** What Ink says about text: that it is none of the keys it knows. */
const TEXT = {
  upArrow: false,
  downArrow: false,
  leftArrow: false,
  rightArrow: false,
  pageUp: false,
  pageDown: false,
  home: false,
  end: false,
  return: false,
  escape: false,
  tab: false,
  backspace: false,
  delete: false,
  ctrl: false,
  meta: false,
  shift: false,
};

it("keys that come together, as a busy machine reads them, are the keys they would be alone", () => {
  const read = keyReader();
  expect(read("ab\u007f\t\b\u0003\u0015é\r", TEXT)).toEqual([
    { text: "a" },
    { text: "b" },
    { text: "", name: "backspace" },
    { text: "", name: "tab" },
    { text: "", name: "backspace" },
    { text: "c", ctrl: true },
    { text: "u", ctrl: true },
    { text: "é" },
    { text: "", name: "return" },
  ]);
});

it("what was typed before the program listened has other ends of lines, which send as well; later they begin a line", () => {
  const read = keyReader();
  expect(read("a\n", TEXT)).toEqual([{ text: "a" }, { text: "", name: "return" }]);
  expect(read("a\n", TEXT)).toEqual([{ text: "a" }, { text: "\n" }]);
});

it("a paste is text, also its ends of lines and what would be a key", () => {
  const read = keyReader();
  expect(["[200~", "a\r\n\tb", "\n", "[201~"].flatMap((input) => read(input, TEXT))).toEqual([
    { text: "a\r\n\tb" },
    { text: "\n" },
  ]);
  expect(read("\u007f\u007f", TEXT)).toEqual([
    { text: "", name: "backspace" },
    { text: "", name: "backspace" },
  ]);
});
