import type { ShellCommand, ShellOption } from "../../analysis.ts";
import { isReadBy } from "../../behaviours/costly.ts";
import { ITEM, isKnown } from "../../words/partly-known-text.ts";
import { decodeBase32, decodeBase64, decodeHex, replaceWithSed, translate } from "../emulate.ts";
import type { AddAccess, FindReach, Invocation, Output, ParsedOptions, ProgramRows } from "../program-row.ts";
import { codeAfter, has, inPlace, pathsOrHere, reach, readsWhenRecursive, valuesOf } from "../row-parts.ts";
import { readSedScript } from "../sed-script.ts";

/** The arguments of a search after its pattern. */
function searched(invocation: Invocation): readonly string[] {
  return invocation.parsed.args.slice(has(invocation, "-e", "-f") ? 0 : 1);
}

/** The files of some folders whose names fit one of the globs; without globs all of them. */
function named(folders: readonly string[], globs: readonly string[]): readonly string[] {
  if (globs.length === 0) return folders;
  return folders.flatMap((folder) =>
    globs.map((glob) => `${folder}/${glob.startsWith("/") ? "" : "**/"}${glob.replace(/^\/|\/$/g, "")}`),
  );
}

const grepReach: FindReach = (invocation) => {
  const recursive =
    has(invocation, "-r") ||
    invocation.name === "rgrep" ||
    valuesOf(invocation.parsed, "-d").includes("recurse");
  if (!recursive) return [];
  const folders = pathsOrHere(invocation, searched(invocation));
  return reach("reads", named(folders, valuesOf(invocation.parsed, "--include")), {
    except: [
      ...valuesOf(invocation.parsed, "--exclude").map((glob) => ({ glob, of: "files" as const })),
      ...valuesOf(invocation.parsed, "--exclude-dir").map((glob) => ({ glob, of: "folders" as const })),
    ],
  });
};

/** `grep -rl text folder`: the names of some files there. */
const filesFound: Output = (_words, _input, parsed) => {
  if (!parsed.flags.includes("-l") || !parsed.flags.includes("-r")) return undefined;
  const folders = parsed.args.slice(parsed.flags.includes("-e") || parsed.flags.includes("-f") ? 0 : 1);
  const globs = valuesOf(parsed, "--include").map((glob) => `**/${glob}`);
  return (folders.length === 0 ? ["."] : folders)
    .flatMap((folder) => (globs.length === 0 ? ["**"] : globs).map((glob) => `${folder}/${glob}\n`))
    .join("");
};

/** Skips hidden and ignored files, unless options or settings say otherwise. */
const ripgrepReach: FindReach = (invocation) => {
  const { words, stdin } = invocation;
  const paths = searched(invocation);
  const piped = stdin.from.length > 0 || stdin.file !== undefined || (stdin.text ?? "") !== "";
  if (has(invocation, "--files", "--type-list", "--version") || (paths.length === 0 && piped)) return [];
  const globs = valuesOf(invocation.parsed, "-g");
  const typed = has(invocation, "-t", "--type") ? ["?*.?*"] : [];
  const wanted = [...globs.filter((glob) => !glob.startsWith("!")), ...typed];
  const all =
    words.some((word) => /^-[a-zA-Z]*u[a-zA-Z]*u/.test(word)) ||
    (has(invocation, "--hidden", "-.") && has(invocation, "--no-ignore", "-u"));
  return reach("reads", named(pathsOrHere(invocation, paths), wanted), {
    certain: all,
    except: wanted.length > 0 ? [] : globs.map((glob) => ({ glob: glob.slice(1), of: "both" })),
  });
};

/** The scripts among the words of sed. */
function sedScripts(args: readonly string[], options: readonly ShellOption[]): readonly string[] {
  const given = options.filter(({ flag }) => flag === "-e").map(({ value }) => value);
  return given.length > 0 || options.some(({ flag }) => flag === "-f") ? given : args.slice(0, 1);
}

/** What a script gives to a shell; it runs its input with `e` and `s/a/b/e`. */
function runBySed({ args, options }: ShellCommand): readonly string[] {
  return sedScripts(args, options)
    .map(readSedScript)
    .flatMap(({ commands, runsInput }) => (runsInput ? [...commands, ITEM] : commands));
}

/** The program of awk, with the values of its variables as strings. */
function awkCode(_words: readonly string[], { args: [code], options }: ParsedOptions): string | undefined {
  if (code === undefined) return undefined;
  const values = options.filter(({ flag }) => flag === "-v" || flag === "--assign");
  return [
    code,
    ...values.map(
      ({ value }) =>
        `${value.slice(0, value.indexOf("="))}=${JSON.stringify(value.slice(value.indexOf("=") + 1))}`,
    ),
  ].join("\n");
}

/** The commands that an editor is started with: `+:!rm x`. */
function editorCommands(words: readonly string[], parsed: ParsedOptions): string | undefined {
  const given = valuesOf(parsed, "-c").map((command) => command.replace(/^:?/, ":"));
  return [...words.filter((word) => /^[:+]/.test(word)), ...given].join("\n") || undefined;
}

/** The files that commands of an editor open or write. */
const EDITS_FILE = /(?:^|[|:+\s])(?:e|edit|w|write|sav|saveas|up|update)!?\s+([^\s|]+)/g;

/** An editor shows what it changes. */
const alsoShows: AddAccess = (parsed, add) => {
  for (const arg of parsed.args) if (!/^[:+]/.test(arg)) add("r", arg);
};

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

/** Programs that show, search, change or decode text, and editors. */
export const TEXT: ProgramRows = {
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
  cut: { values: "-d -f -c -b --delimiter --fields", access: "r*", traits: ["filters"] },
  sort: {
    values: "-o -k -t -T -S --output --key",
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
  grep: {
    values: "-e -f -m -A -B -C -d --include --exclude --exclude-dir --directories --regexp --file",
    same: "-R=-r --recursive=-r --dereference-recursive=-r --directories=-d --regexp=-e --file=-f --quiet=-q --silent=-q --count=-c --files-with-matches=-l --files-without-match=-L",
    access: "- r*",
    optionAccess: { "-f": "r" },
    addAccess: (parsed, add, touches) => {
      const given = parsed.flags.includes("-e") || parsed.flags.includes("-f");
      if (given && parsed.args[0] !== undefined) add("r", parsed.args[0]);
      if (parsed.flags.includes("-r") && parsed.args.length === 1) add("r", ".");
      // It says how often, or whether, something is there.
      if (parsed.flags.some((flag) => /^-[qclL]$/.test(flag))) touches.uses.push(...touches.reads.splice(0));
    },
    reach: grepReach,
    output: filesFound,
    traits: ["filters"],
  },
  rgrep: { reach: grepReach },
  "egrep fgrep zgrep": { like: "grep" },
  rg: {
    values: "-e -f -g -t -T -m -A -B -C -r --glob --type --regexp --file --replace",
    same: "--regexp=-e --file=-f --glob=-g",
    access: "- r*",
    optionAccess: { "-f": "r" },
    reach: ripgrepReach,
    traits: ["filters"],
  },
  ag: { like: "rg" },
  ack: { access: "- r*", optionAccess: { "-f": "r" }, reach: ripgrepReach },
  sed: {
    otherCommands: runBySed,
    values: "-e -f -l --expression --file",
    same: "--in-place=-i --expression=-e --file=-f --regexp-extended=-E -r=-E --quiet=-n",
    access: "- r*",
    optionAccess: { "-f": "r" },
    addAccess: (parsed, add, touches) => {
      if (parsed.flags.some((flag) => flag === "-e" || flag === "-f") && parsed.args[0] !== undefined)
        add("r", parsed.args[0]);
      if (parsed.flags.includes("-i")) touches.writes.push(...touches.reads.splice(0));
      for (const script of sedScripts(parsed.args, parsed.options).map(readSedScript)) {
        for (const path of script.reads) add("r", path);
        for (const path of script.writes) add("w", path);
      }
    },
    output: (words, input) =>
      input !== undefined && isKnown(input) ? replaceWithSed(words, input) : undefined,
    empties: ({ parsed }) =>
      parsed.flags.includes("-i") && /^(?:1?,\$|\/\^?\.\*\$?\/|\/\^\/)?\s*d$/.test(parsed.args[0] ?? ""),
    traits: ["filters"],
  },
  gsed: { like: "sed", otherCommands: runBySed },
  awk: {
    values: "-F -v -f -i --file --field-separator --assign --include",
    same: "--file=-f --include=-i",
    access: "- r*",
    optionAccess: { "-f": "u" },
    addAccess: (parsed, _add, touches) => {
      if (valuesOf(parsed, "-i").includes("inplace")) touches.writes.push(...touches.reads.splice(0));
    },
    code: awkCode,
    traits: ["filters", "feedsCommands", "interpreter"],
  },
  gawk: { like: "awk", code: awkCode, traits: ["filters", "feedsCommands", "interpreter"] },
  "mawk nawk": { like: "awk", code: awkCode, traits: ["filters", "feedsCommands", "interpreter"] },
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
    traits: ["storesInput", "filters"],
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
  "ed dos2unix unix2dos": { access: "w*" },
  "pico nano micro": { access: "w*", addAccess: alsoShows },
  "ex vi vim nvim": {
    values: "-c --cmd",
    same: "--cmd=-c",
    access: "w*",
    addAccess: (parsed, add, touches) => {
      alsoShows(parsed, add, touches);
      for (const command of [...valuesOf(parsed, "-c"), ...parsed.args.filter((arg) => /^[:+]/.test(arg))])
        for (const [, file = ""] of command.matchAll(EDITS_FILE)) add("w", file);
    },
    code: editorCommands,
  },
  emacs: {
    access: "w*",
    commandArgument: /shell-command\s+"([^"]+)"/s,
    code: codeAfter("--eval", "-eval"),
    traits: ["needsParser"],
  },
  "bat-extras shfmt editorconfig": { traits: ["namesOnly"] },
};
