import type { ParsedOptions } from "../../analysis.ts";
import { isReadBy } from "../../judge/costly.ts";
import { isKnown } from "../../words/text.ts";
import { decodeBase32, decodeBase64, decodeHex, translate } from "../emulate.ts";
import type { Output, ProgramFamily } from "../program-row.ts";
import { inPlace, isEqualsSign, readsWhenRecursive, usesVariables, valuesOf } from "../row-parts.ts";

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

function decodes(decode: (data: string) => string | undefined): Output {
  return (_words, input, { flags, args }) =>
    flags.includes("-d") && input !== undefined && args.length === 0 && isKnown(input)
      ? decode(input)
      : undefined;
}

/** How many lines `head` or `tail` prints; `undefined` for other kinds of counting. */
function lineCount({ options, flags, args }: ParsedOptions): number | undefined {
  if (args.length > 0) return undefined;
  const digits = flags.filter((flag) => /^-\d$/.test(flag)).map((flag) => flag[1]);
  if (digits.length > 0) return Number(digits.join(""));
  const given = options.find((option) => option.flag === "-n")?.value;
  if (flags.includes("-c")) return undefined;
  return given === undefined ? 10 : /^\d+$/.test(given) ? Number(given) : undefined;
}

/** Programs that show, change or decode text. */
export const TEXT: ProgramFamily = {
  cat: { access: "r*", output: passes, traits: ["printsFiles", "filters", "silent"] },
  less: { access: "r*", commandArgument: /^\+!(.+)$/s },
  "more most bat batcat view uuencode join comm fmt cmp vimdiff sdiff colordiff pr csvtool xsv plutil enscript lp lpr nkf rot13 jless glow mdcat pygmentize highlight ccat look ul ptx shuf tsort aspell xmllint qrencode basenc":
    { access: "r*" },
  "nl paste column fold expand": { access: "r*", traits: ["filters"] },
  tac: {
    access: "r*",
    output: (words, input) => onKnownInput(words, input, (text) => lines(text).reverse().join("\n")),
    traits: ["filters"],
  },
  rev: {
    access: "r*",
    output: (words, input) =>
      onKnownInput(words, input, (text) =>
        lines(text)
          .map((line) => [...line].reverse().join(""))
          .join("\n"),
      ),
    traits: ["filters"],
  },
  diff: { access: "r*", reach: readsWhenRecursive("-r", "--recursive") },
  head: {
    values: "-n -c --lines --bytes",
    same: "--lines=-n --bytes=-c",
    access: "r*",
    output: (_words, input, parsed) => {
      const count = lineCount(parsed);
      return count === undefined || input === undefined ? undefined : lines(input).slice(0, count).join("\n");
    },
    traits: ["filters"],
  },
  tail: {
    values: "-n -c --lines --bytes --pid -s",
    same: "--lines=-n --bytes=-c --follow=-f",
    access: "r*",
    output: (_words, input, parsed) => {
      const count = lineCount(parsed);
      return count === undefined || input === undefined ? undefined : lines(input).slice(-count).join("\n");
    },
    traits: ["filters"],
  },
  cut: {
    values: "-d -f -c -b --delimiter --fields",
    same: "--delimiter=-d --fields=-f",
    access: "r*",
    addAccess: (parsed, _add, touches) => {
      if (valuesOf(parsed, "-d").some(isEqualsSign) && valuesOf(parsed, "-f").includes("1"))
        usesVariables(touches);
    },
    traits: ["filters"],
  },
  sort: {
    values: "-o -k -t -T -S --output --key --compress-program",
    same: "--output=-o",
    access: "r*",
    optionAccess: { "-o": "w", "--files0-from": "r" },
    output: (words, input) => (words.every((word) => /^-[urn]+$/.test(word)) ? input : undefined),
    starts: "--compress-program",
    traits: ["filters"],
  },
  uniq: {
    access: "r w",
    output: (words, input) => (words.length === 0 ? input : undefined),
    traits: ["filters"],
  },
  wc: { access: "u*", traits: ["filters"] },
  iconv: {
    values: "-f -t -o --from-code --to-code --output",
    same: "--output=-o",
    access: "r*",
    optionAccess: { "-o": "w" },
    traits: ["filters"],
  },
  xxd: {
    values: "-l -s -c -g -o -len -seek -cols",
    access: "r w",
    output: (_words, input, { flags, args }) => {
      const back = flags.some((flag) => /^-r/.test(flag)) && flags.some((flag) => /p/.test(flag));
      return back && args.length === 0 && input !== undefined && isKnown(input)
        ? decodeHex(input)
        : undefined;
    },
    traits: ["oneDash", "filters"],
  },
  od: { values: "-A -t -N -j -w -S", access: "r*", traits: ["filters"] },
  hexdump: { values: "-n -s -e -f", access: "r*", traits: ["filters"] },
  strings: { values: "-n -t -e", access: "r*" },
  base64: {
    values: "-w --wrap",
    same: "--decode=-d -D=-d --wrap=-w",
    access: "r*",
    output: decodes(decodeBase64),
    traits: ["filters"],
  },
  gbase64: { like: "base64", output: decodes(decodeBase64) },
  base32: {
    values: "-w --wrap",
    same: "--decode=-d",
    access: "r*",
    output: decodes(decodeBase32),
    traits: ["filters"],
  },
  jq: {
    values: "--arg --argjson --indent -f --from-file --slurpfile --rawfile",
    access: "- r*",
    optionAccess: { "-f": "u", "--slurpfile": "-" },
    traits: ["filters"],
  },
  yq: { access: "- r*", optionAccess: { "-f": "r" }, addAccess: inPlace, traits: ["filters"] },
  tr: {
    output: (words, input) => (input !== undefined && isKnown(input) ? translate(words, input) : undefined),
    traits: ["filters"],
  },
  tee: {
    access: "w*",
    output: (_words, input) => input,
    empties: (invocation) => {
      const { stdin, touches, parsed } = invocation;
      if (stdin.file === "/dev/null") return true;
      return !parsed.flags.includes("-a") && touches.writes.some((path) => isReadBy(stdin.from, path, ""));
    },
    traits: ["storesInput", "filters", "replaces"],
  },
  sponge: { access: "w*", output: passes, traits: ["filters"] },
  pv: { output: passes, traits: ["filters"] },
  seq: {
    output: (words) =>
      words.length === 1 && /^\d{1,2}$/.test(words[0] ?? "")
        ? Array.from({ length: Number(words[0]) }, (_, index) => `${index + 1}\n`).join("")
        : undefined,
    traits: ["harmless"],
  },
  "bat-extras shfmt editorconfig": { traits: ["namesOnly"] },
};
