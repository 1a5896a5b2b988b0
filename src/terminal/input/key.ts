/** A key, a click or a paste, as the terminal sends it. */
export interface Key {
  /** The text that it stands for; of Ctrl and a letter, the letter. */
  readonly text: string;
  readonly name?: KeyName;
  readonly ctrl?: boolean;
  readonly meta?: boolean;
  readonly shift?: boolean;
  readonly mouse?: MouseEvent;
}

export type KeyName =
  | "up"
  | "down"
  | "left"
  | "right"
  | "pageup"
  | "pagedown"
  | "home"
  | "end"
  | "return"
  | "escape"
  | "tab"
  | "backspace"
  | "delete";

/** Where the pointer is, from 0 on, and what it did. */
export interface MouseEvent {
  readonly type: "press" | "wheel-up" | "wheel-down";
  readonly row: number;
  readonly column: number;
}

/** What Ink says about a key. */
interface InkKey {
  readonly upArrow: boolean;
  readonly downArrow: boolean;
  readonly leftArrow: boolean;
  readonly rightArrow: boolean;
  readonly pageUp: boolean;
  readonly pageDown: boolean;
  readonly home: boolean;
  readonly end: boolean;
  readonly return: boolean;
  readonly escape: boolean;
  readonly tab: boolean;
  readonly backspace: boolean;
  readonly delete: boolean;
  readonly ctrl: boolean;
  readonly meta: boolean;
  readonly shift: boolean;
}

const NAMES: readonly (readonly [ink: keyof InkKey, name: KeyName])[] = [
  ["upArrow", "up"],
  ["downArrow", "down"],
  ["leftArrow", "left"],
  ["rightArrow", "right"],
  ["pageUp", "pageup"],
  ["pageDown", "pagedown"],
  ["home", "home"],
  ["end", "end"],
  ["return", "return"],
  ["escape", "escape"],
  ["tab", "tab"],
  // What terminals send for the backspace key is what Ink calls delete.
  ["delete", "backspace"],
  ["backspace", "backspace"],
];

const MOUSE = /^\[<(\d+);(\d+);(\d+)([Mm])$/;
const WHEEL = 64;

/** Reads keys where each one does something: what a slow connection or a busy machine joined comes apart again. */
export function readKeys(input: string, key: InkKey, lineFeed: Key = ENTER): readonly Key[] {
  const read = readKey(input, key);
  if (read === undefined) return [];
  if (read.ctrl === true || read.meta === true || read.text === "") return [read];
  return [...new Intl.Segmenter().segment(read.text)].map(({ segment }) =>
    segment === "\n" ? lineFeed : keyOf(segment),
  );
}

const ENTER: Key = { text: "", name: "return" };

const CONTROLS: Readonly<Record<string, KeyName>> = {
  "\r": "return",
  "\r\n": "return",
  "\t": "tab",
  "\b": "backspace",
  "\u007f": "backspace",
};

/** What Ink knows only where it comes alone. */
function keyOf(character: string): Key {
  const name = CONTROLS[character];
  if (name !== undefined) return { text: "", name };
  const letter = character.charCodeAt(0) + 96;
  return letter > 96 && letter <= 122
    ? { text: String.fromCharCode(letter), ctrl: true }
    : { text: character };
}

/** Reads what Ink's `useInput` passes; `undefined` for what means nothing here. */
function readKey(input: string, key: InkKey): Key | undefined {
  const [, button, column, row, end] = MOUSE.exec(input) ?? [];
  if (button !== undefined) return mouseKey(Number(button), Number(row), Number(column), end === "M");
  const [, name] = NAMES.find(([ink]) => key[ink]) ?? [];
  const { ctrl, shift } = key;
  if (name !== undefined) return { text: "", name, ctrl, shift, meta: key.meta && name !== "escape" };
  // An escape sequence that nobody knows.
  if (input === "" || /^\[[\d;?<>=]*[A-Za-z~]$/.test(input)) return undefined;
  return { text: input, ctrl, shift, meta: key.meta };
}

function mouseKey(button: number, row: number, column: number, isPress: boolean): Key | undefined {
  const place = { row: row - 1, column: column - 1 };
  if (button === WHEEL) return { text: "", mouse: { type: "wheel-up", ...place } };
  if (button === WHEEL + 1) return { text: "", mouse: { type: "wheel-down", ...place } };
  return button === 0 && isPress ? { text: "", mouse: { type: "press", ...place } } : undefined;
}

const [PASTE_BEGIN, PASTE_END] = ["[200~", "[201~"];

/**
 * Reads keys as {@link readKeys} does, but a paste is one text, whatever it contains, and a line feed begins a new line (Ctrl-J,
 * and Shift-Enter of many terminals). Only in the first input it is Enter, typed before the terminal sent keys as they are.
 */
export function keyReader(): (input: string, key: InkKey) => readonly Key[] {
  let isPasting = false;
  let isFirst = true;
  return (input, key) => {
    const lineFeed = isFirst ? ENTER : { text: "\n" };
    isFirst = false;
    if (input === PASTE_BEGIN || input === PASTE_END) {
      isPasting = input === PASTE_BEGIN;
      return [];
    }
    if (isPasting) return [{ text: input === "" && key.return ? "\n" : input }];
    return readKeys(input, key, lineFeed);
  };
}

/** How far a key scrolls, downwards positive; `undefined` for keys that do something else. */
export function stepsOf({ name, text, mouse, ctrl }: Key, page: number): number | undefined {
  if (mouse?.type === "wheel-up") return -3;
  if (mouse?.type === "wheel-down") return 3;
  if (name === "up" || text === "k") return -1;
  if (name === "down" || text === "j") return 1;
  if (name === "pageup" || (ctrl === true && text === "u")) return -page;
  if (name === "pagedown" || text === " " || (ctrl === true && text === "d")) return page;
  if (name === "home" || text === "g") return Number.NEGATIVE_INFINITY;
  return name === "end" || text === "G" ? Number.POSITIVE_INFINITY : undefined;
}
