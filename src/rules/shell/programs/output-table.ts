import { decodeBase32, decodeBase64, decodeHex } from "../words/decode.ts";
import { unescaped } from "../words/escapes.ts";
import { isKnown } from "../words/partly-known-text.ts";
import { formatPrintf } from "../words/printf.ts";
import { replaceWithSed } from "../words/sed.ts";
import { baseName, withoutTrailing } from "../words/text.ts";
import { translate } from "../words/translate.ts";
import { parseOptions } from "./options.ts";

/** What a program prints, given its words (program not included) and its input; `undefined` when unknown. */
type Output = (words: readonly string[], input: string | undefined) => string | undefined;

const nothing: Output = () => "";
const passes: Output = (words, input) => (files(words).length === 0 ? input : undefined);
const lines = (input: string): string[] => input.replace(/\n$/, "").split("\n");

function files(words: readonly string[]): readonly string[] {
  return words
    .filter((word) => !word.startsWith("-") || word === "-")
    .filter((word) => word !== "-" && word !== "/dev/stdin");
}

function onKnownInput(
  words: readonly string[],
  input: string | undefined,
  change: (text: string) => string | undefined,
): string | undefined {
  return input === undefined || !isKnown(input) || files(words).length > 0 ? undefined : change(input);
}

function decoder(program: string, decode: (data: string) => string | undefined): Output {
  return (words, input) => {
    const { flags, args } = parseOptions(program, words);
    return flags.includes("-d") && input !== undefined && args.length === 0 && isKnown(input)
      ? decode(input)
      : undefined;
  };
}

/** How many lines `head` or `tail` keeps; `undefined` for other kinds of counting. */
function lineCount(program: string, words: readonly string[]): number | undefined {
  const { options, flags, args } = parseOptions(program, words);
  if (args.length > 0) return undefined;
  const digits = flags.filter((flag) => /^-\d$/.test(flag)).map((flag) => flag[1]);
  if (digits.length > 0) return Number(digits.join(""));
  const given = options.find((option) => option.flag === "-n")?.value;
  if (flags.includes("-c")) return undefined;
  return given === undefined ? 10 : /^\d+$/.test(given) ? Number(given) : undefined;
}

const lookup: Output = (words) => {
  const name = words.at(-1);
  return name === undefined || name.startsWith("-") ? undefined : `${name}\n`;
};

/** The quiet programs, and those whose output follows from their words and input alone. */
export const OUTPUT_TABLE: Readonly<Record<string, Output>> = {
  true: nothing,
  false: nothing,
  ":": nothing,
  cd: nothing,
  export: nothing,
  set: (words) => (words.length > 0 ? "" : undefined),
  unset: nothing,
  shopt: nothing,
  alias: nothing,
  read: nothing,
  test: nothing,
  "[": nothing,
  sleep: nothing,
  mkdir: nothing,
  touch: nothing,
  chmod: nothing,
  local: nothing,
  declare: nothing,
  typeset: nothing,
  readonly: nothing,
  echo: (words) => {
    let at = 0;
    while (/^-[neE]+$/.test(words[at] ?? "")) at += 1;
    const options = words.slice(0, at).join("");
    const text = words.slice(at).join(" ");
    const end = options.includes("n") ? "" : "\n";
    return (options.includes("e") ? unescaped(text) : text) + end;
  },
  printf: (words) => formatPrintf(words),
  cat: passes,
  tee: (_words, input) => input,
  sponge: passes,
  pv: passes,
  base64: decoder("base64", decodeBase64),
  gbase64: decoder("base64", decodeBase64),
  base32: decoder("base32", decodeBase32),
  openssl: (words, input) => {
    const decodes =
      words.includes("-d") && (words[0] === "base64" || words.includes("-base64") || words.includes("-a"));
    return decodes && input !== undefined && isKnown(input) && !words.includes("-in")
      ? decodeBase64(input)
      : undefined;
  },
  xxd: (words, input) => {
    const { flags, args } = parseOptions("xxd", words);
    const back = flags.some((flag) => /^-r/.test(flag)) && flags.some((flag) => /p/.test(flag));
    return back && args.length === 0 && input !== undefined && isKnown(input) ? decodeHex(input) : undefined;
  },
  rev: (words, input) =>
    onKnownInput(words, input, (text) =>
      lines(text)
        .map((line) => [...line].reverse().join(""))
        .join("\n"),
    ),
  tac: (words, input) => onKnownInput(words, input, (text) => lines(text).reverse().join("\n")),
  tr: (words, input) => (input !== undefined && isKnown(input) ? translate(words, input) : undefined),
  sed: (words, input) => (input !== undefined && isKnown(input) ? replaceWithSed(words, input) : undefined),
  head: (words, input) => {
    const count = lineCount("head", words);
    return count === undefined || input === undefined ? undefined : lines(input).slice(0, count).join("\n");
  },
  tail: (words, input) => {
    const count = lineCount("tail", words);
    return count === undefined || input === undefined ? undefined : lines(input).slice(-count).join("\n");
  },
  sort: (words, input) => (words.every((word) => /^-[urn]+$/.test(word)) ? input : undefined),
  uniq: (words, input) => (words.length === 0 ? input : undefined),
  xargs: (words, input) => (words.length === 0 ? input : undefined),
  which: lookup,
  command: (words) => (words[0] === "-v" ? lookup(words, undefined) : undefined),
  type: (words) => (words[0] === "-p" || words[0] === "-P" ? lookup(words, undefined) : undefined),
  mktemp: () => "/tmp/tmp.XXXXXXXXXX\n",
  tempfile: () => "/tmp/tmp.XXXXXXXXXX\n",
  basename: (words) =>
    words.length === 1 ? `${baseName(withoutTrailing(words[0] ?? "", "/"))}\n` : undefined,
  dirname: (words) => (words.length === 1 ? `${folderOf(words[0] ?? "")}\n` : undefined),
  realpath: (words) => (words.length === 1 ? `${words[0]}\n` : undefined),
  readlink: (words) => (words.length === 2 && words[0] === "-f" ? `${words[1]}\n` : undefined),
  seq: (words) =>
    words.length === 1 && /^\d{1,2}$/.test(words[0] ?? "") ? sequence(Number(words[0])) : undefined,
  ls: (words) =>
    words.every((word) => /^-1?$/.test(word) || !word.startsWith("-")) ? listing(words) : undefined,
};

function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash === -1 ? path : path.slice(0, slash);
}

function sequence(last: number): string {
  return Array.from({ length: last }, (_, index) => `${index + 1}\n`).join("");
}

/** `ls *.tmp | xargs rm`: the names are those the pattern stands for. */
function listing(words: readonly string[]): string | undefined {
  const names = files(words);
  return names.length === 0
    ? "*\n"
    : names.map((name) => (/[*?]/.test(name) ? `${name}\n` : `${name}/*\n`)).join("");
}
