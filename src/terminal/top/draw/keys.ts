import { drawLine } from "../../input/line.ts";
import { columns, cut, padded } from "../../layout.ts";
import type { Paint } from "../../paint.ts";
import { LIST_KEYS, notAnswerable, optionsOf } from "../list-keys.ts";
import { KIND_NAMES, KINDS } from "../rows.ts";
import { currentAgent, type TopState } from "../state.ts";

interface ShownKey {
  readonly key: string;
  readonly label: string;
  readonly off?: boolean;
}

/** The keys of the present mode; those that do nothing now are dim. */
export function keysLine(state: TopState, width: number, paint: Paint): string {
  let line = " ";
  let used = 1;
  for (const { key, label, off = false } of keysOf(state)) {
    const text = `${key} ${label}`;
    if (used + 1 + columns(text) > width - 1) break;
    line += ` ${off ? paint.dim(text) : `${paint.bold(key)} ${label}`} `;
    used += columns(text) + 2;
  }
  return line.trimEnd();
}

function keysOf(state: TopState): readonly ShownKey[] {
  const { mode, opened } = state;
  if (mode.type === "help") return [{ key: "any key", label: "back" }];
  if (mode.type === "filter") return [ENTER("keep"), ESC("as before")];
  if (mode.type === "answer") return [ENTER("send"), ESC("later")];
  const rows = LIST_KEYS.filter(
    ({ rare, key }) => rare !== true && (opened === undefined || !IN_LIST.has(key)),
  );
  const keys = rows.map(({ key, label, disabled }) => ({
    key,
    label,
    off: disabled?.(state) !== undefined,
  }));
  const request = currentAgent(state)?.asks?.request;
  const options = request === undefined || notAnswerable(state) !== undefined ? 0 : optionsOf(request).length;
  const digits =
    options === 0 ? [] : [{ key: options === 1 ? "1" : `1-${Math.min(9, options)}`, label: "answer" }];
  // With options, digits answer, and the key for words says so.
  const named =
    options === 0 ? keys : keys.map((one) => (one.key === "a" ? { ...one, label: "in words" } : one));
  if (opened === undefined) return [...digits, ...named];
  return [{ key: "↑↓", label: "scroll" }, ...digits, ...named.filter(({ key }) => key !== "q"), ESC("back")];
}

/** Keys that mean nothing on an agent's page. */
const IN_LIST: ReadonlySet<string> = new Set(["enter", "/", "w"]);

const ENTER = (label: string): ShownKey => ({ key: "enter", label });
const ESC = (label: string): ShownKey => ({ key: "esc", label });

/** What is being typed, or what the last key led to. */
export function inputLine({ mode, notice }: TopState, width: number, paint: Paint): string {
  const said = notice === undefined ? "" : `  ${cut(notice, width - 3)}`;
  if (mode.type === "keys" || mode.type === "help" || notice !== undefined) return said;
  const title = {
    filter: "/",
    answer: mode.type === "answer" && mode.wantsMessage ? "What is to change? " : "Your answer: ",
  }[mode.type];
  return `  ${paint.bold(title)}${drawLine(mode.line, width - 4 - title.length)}`;
}

const STATE_KEYS: readonly string[] = KIND_NAMES.map((kind) => KINDS[kind].key);

/** All keys. */
export function helpLines(width: number, paint: Paint): readonly string[] {
  const rows = [
    ["↑ ↓ j k", "move; PgUp, PgDn, g and G move further; the wheel, too"],
    ["click", "choose an agent, again: open it; Shift-drag selects text"],
    ["1-9", "answer with an option of what it asks"],
    ...LIST_KEYS.filter(({ key }) => !STATE_KEYS.includes(key)).map(({ key, help }) => [key, help]),
    [
      STATE_KEYS.join(" "),
      `${KIND_NAMES.map((kind) => KINDS[kind].only)
        .join(", ")
        .replaceAll(", only ", ", ")}; again: all`,
    ],
    ["esc", "show all again, or go back"],
  ];
  const wide = Math.max(...rows.map(([key = ""]) => columns(key)));
  return rows.map(
    ([key = "", help = ""]) => `  ${paint.bold(padded(key, wide))}  ${cut(help, width - wide - 5)}`,
  );
}
