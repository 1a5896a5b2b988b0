import { isKnown, replaceWithin } from "../words/text.ts";

/* What small text programs print, worked out here instead of by running them. */

/** The text of base64 data, white space ignored; `undefined` when it is no base64 or no text. */
export function decodeBase64(data: string): string | undefined {
  const compact = data.replace(/\s+/g, "");
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(compact)) return undefined;
  try {
    return textOf(
      Uint8Array.from(atob(compact.replace(/-/g, "+").replace(/_/g, "/")), (char) => char.charCodeAt(0)),
    );
  } catch {
    return undefined;
  }
}

/** The text of hexadecimal data, as `xxd -r -p` reads it. */
export function decodeHex(data: string): string | undefined {
  const compact = data.replace(/\s+/g, "");
  if (compact.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(compact)) return undefined;
  return textOf(Uint8Array.from(compact.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)));
}

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** The text of base32 data. */
export function decodeBase32(data: string): string | undefined {
  const compact = data.replace(/[\s=]+/g, "").toUpperCase();
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const char of compact) {
    const digit = BASE32.indexOf(char);
    if (digit === -1) return undefined;
    value = ((value << 5) | digit) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((value >> bits) & 0xff);
    }
  }
  return textOf(Uint8Array.from(bytes));
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

const SIMPLE: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\x07",
  b: "\b",
  f: "\f",
  v: "\v",
  e: "\x1b",
  "\\": "\\",
  '"': '"',
  "'": "'",
};

/** Replaces `\n`, `\x72`, `\0162`, `\u0072` and the like, as `printf` and `echo -e` do. */
export function unescaped(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|(0?[0-7]{1,3})|(.))/gs,
    (whole: string, hex?: string, short?: string, long?: string, octal?: string, letter?: string) => {
      const code = hex ?? short ?? long;
      if (code !== undefined) return character(Number.parseInt(code, 16));
      if (octal !== undefined) return character(Number.parseInt(octal, 8) & 0xff);
      return SIMPLE[letter ?? ""] ?? whole;
    },
  );
}

function character(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : "\uFFFD";
}

/** What `printf FORMAT ARGUMENTS…` prints; the format is used again while arguments are left. */
export function formatPrintf(words: readonly string[]): string | undefined {
  if (words[0] === "-v") return undefined;
  const rest = words[0] === "--" ? words.slice(1) : words;
  const format = rest[0] ?? "";
  const args = rest.slice(1);
  let printed = "";
  let used = 0;
  let certain = true;
  const next = (): string => {
    const arg = args[used] ?? "";
    used += 1;
    return arg;
  };
  for (let round = 0; round === 0 || (used < args.length && round < 64); round += 1) {
    const before = used;
    printed += unescaped(format).replace(
      /%(?:%|([-+ #0]*)([1-9]\d*|\*)?(?:\.(\d+|\*)?)?([a-zA-Z]))/g,
      (whole: string, flags = "", width?: string, precision?: string, kind?: string) => {
        if (kind === undefined) return "%";
        const columns = width === "*" ? next() : width;
        const most = precision === "*" ? next() : (precision ?? (whole.includes(".") ? "0" : undefined));
        const arg = next();
        const shaped = columns !== undefined || most !== undefined || flags !== "";
        // Other numbers than those that are written the same way, and cutting what is unknown, are not worked out.
        certain &&= "sbcdiuq".includes(kind) && !(shaped && !isKnown(arg));
        certain &&= !("diuq".includes(kind) && (shaped || !/^[\w./-]*$/.test(arg)));
        const text = kind === "b" ? unescaped(arg) : kind === "c" ? arg.slice(0, 1) : arg;
        return padded(
          most === undefined ? text : text.slice(0, Number(most)),
          Number(columns ?? 0),
          flags.includes("-"),
        );
      },
    );
    if (used === before) break;
    if (printed.length > LONGEST) return undefined;
  }
  return certain && used >= args.length ? printed : undefined;
}

function padded(text: string, columns: number, left: boolean): string {
  const width = Math.min(Math.abs(columns) || 0, 1_000);
  return left || columns < 0 ? text.padEnd(width) : text.padStart(width);
}

const CLASSES: Readonly<Record<string, string>> = {
  "[:lower:]": "abcdefghijklmnopqrstuvwxyz",
  "[:upper:]": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  "[:digit:]": "0123456789",
  "[:space:]": " \t\n\r\v\f",
};

/** What `tr` makes of the input; `undefined` for the rarer options. */
export function translate(words: readonly string[], input: string): string | undefined {
  if (!words.every(isKnown)) return undefined;
  const sets = words.filter((word) => !/^-[a-zA-Z]+$/.test(word)).map(characters);
  const options = words.filter((word) => /^-[a-zA-Z]+$/.test(word)).join("");
  const [from, to] = sets;
  if (from === undefined || /[cCts]/.test(options)) return undefined;
  if (options.includes("d")) {
    const deleted = new Set(from);
    return [...input].filter((char) => !deleted.has(char)).join("");
  }
  const last = to?.at(-1);
  if (to === undefined || last === undefined) return undefined;
  const table = new Map(from.map((char, index) => [char, to[index] ?? last]));
  return [...input].map((char) => table.get(char) ?? char).join("");
}

function characters(set: string): readonly string[] {
  const named = Object.hasOwn(CLASSES, set) ? CLASSES[set] : undefined;
  const source = [...(named ?? unescaped(set))];
  const list: string[] = [];
  for (let at = 0; at < source.length; at += 1) {
    const from = source[at]?.codePointAt(0) ?? 0;
    const to = source[at + 2]?.codePointAt(0);
    if (source[at + 1] === "-" && to !== undefined && to >= from && to - from < 256) {
      for (let code = from; code <= to; code += 1) list.push(String.fromCodePoint(code));
      at += 2;
    } else {
      list.push(String.fromCodePoint(from));
    }
  }
  return list;
}

/** What `sed 's/a/b/'` with plain text on both sides makes of the input; `undefined` for anything more. */
export function replaceWithSed(words: readonly string[], input: string): string | undefined {
  const scripts = words.filter((word) => word !== "-e" && word !== "-E" && word !== "-r");
  const script = scripts[0];
  if (scripts.length !== 1 || script === undefined || !isKnown(script)) return undefined;
  let text = input;
  for (const part of script.split(";")) {
    const separator = part[1] ?? "";
    const [command, from, to, flags] = part.split(separator);
    if (command !== "s" || from === undefined || from === "" || to === undefined) return undefined;
    if (/[\\.*[\]^$+?(){}|&]/.test(from + to) || !/^g?$/.test(flags ?? "")) return undefined;
    const changed = flags === "g" ? replaceWithin(text, from, to) : replaceFirsts(text, from, to);
    if (changed === undefined) return undefined;
    text = changed;
  }
  return text;
}

const LONGEST = 65_536;

/** Replaces the first occurrence in each line. */
function replaceFirsts(text: string, from: string, to: string): string | undefined {
  const lines = text.split("\n");
  if (text.length + lines.length * to.length > LONGEST) return undefined;
  return lines.map((line) => line.replace(from, () => to)).join("\n");
}
