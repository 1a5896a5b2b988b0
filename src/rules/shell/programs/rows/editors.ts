import type { ParsedOptions, ShellOption } from "../../analysis.ts";
import { ITEM, isKnown } from "../../words/text.ts";
import { replaceWithSed } from "../emulate.ts";
import type { AddAccess, Invocation, ProgramFamily, WrittenCommand } from "../program-row.ts";
import { codeAfter, isEqualsSign, usesVariables, valuesOf } from "../row-parts.ts";
import { readSedScript } from "../sed-script.ts";

/** The scripts among the words of sed. */
function sedScripts(args: readonly string[], options: readonly ShellOption[]): readonly string[] {
  const given = options.filter(({ flag }) => flag === "-e").map(({ value }) => value);
  return given.length > 0 || options.some(({ flag }) => flag === "-f") ? given : args.slice(0, 1);
}

/** What a script gives to a shell; it runs its input with `e` and `s/a/b/e`. */
function runBySed({ args, options }: WrittenCommand): readonly string[] {
  return sedScripts(args, options)
    .map(readSedScript)
    .flatMap(({ commands, runsInput }) => (runsInput ? [...commands, ITEM] : commands));
}

/** Options of awk that give its program, so that all arguments are files. */
const AWK_PROGRAM = ["-e", "-f"];

/** The program of awk, with the values of its variables as strings. */
function awkCode(_words: readonly string[], parsed: ParsedOptions): string | undefined {
  const { args, options, flags } = parsed;
  const code = flags.some((flag) => AWK_PROGRAM.includes(flag)) ? valuesOf(parsed, "-e") : args.slice(0, 1);
  if (code.length === 0) return undefined;
  const values = options.filter(({ flag }) => flag === "-v" || flag === "--assign");
  return [
    ...code,
    ...values.map(
      ({ value }) =>
        `${value.slice(0, value.indexOf("="))}=${JSON.stringify(value.slice(value.indexOf("=") + 1))}`,
    ),
  ].join("\n");
}

/** The commands that an editor is started with, `+:!rm x`, or reads, `ex file <<< '!rm x'`. */
function editorCommands(
  words: readonly string[],
  parsed: ParsedOptions,
  stdin: string | undefined,
): string | undefined {
  const given = [...valuesOf(parsed, "-c"), ...(stdin ?? "").split("\n")]
    .filter((command) => command !== "")
    .map((command) => command.replace(/^[:\s]*term(?:inal)?\s+/, ":!"))
    .map((command) => command.replace(/^[:\s]*(?:silent!?\s*)?(?:[rw]\s*(?=!)|\d*[,%$]*\d*(?=!))?/, ":"));
  return [...words.filter((word) => /^[:+]/.test(word)), ...given].join("\n") || undefined;
}

/** Commands that delete every line. */
const DELETES_LINES = /(?:^|[|:+\n])\s*(?:%|,|1,\$|0,\$|g\/(?:\^|\.\*|\.)?\/)\s*d(?:elete)?\b/;

function deletesLines({ words, parsed, stdin }: Invocation): boolean {
  return DELETES_LINES.test(editorCommands(words, parsed, stdin.text) ?? "");
}

/** The files that commands of an editor open or write. */
const EDITS_FILE = /(?:^|[|:+\s])(?:e|edit|w|write|sav|saveas|up|update)!?\s+([^\s|]+)/g;

/** An editor shows what it changes. */
const alsoShows: AddAccess = (parsed, add) => {
  for (const arg of parsed.args) if (!/^[:+]/.test(arg)) add("r", arg);
};

/** `dasel -f file` shows the file, `dasel put -f file` changes it. */
const showsOrChanges: AddAccess = (parsed, add) => {
  const role = /^(?:put|delete)$/.test(parsed.args[0] ?? "") ? "w" : "r";
  for (const path of valuesOf(parsed, "-f")) add(role, path);
};

/** Editors, also those that work by a script: sed and awk. */
export const EDITORS: ProgramFamily = {
  "sed gsed": {
    otherCommands: runBySed,
    values: "-e -f -l --expression --file",
    same: "--in-place=-i --expression=-e --file=-f --regexp-extended=-E -r=-E --quiet=-n",
    access: "- r*",
    optionAccess: { "-f": "r" },
    addAccess: (parsed, add, touches) => {
      if (parsed.flags.some((flag) => flag === "-e" || flag === "-f") && parsed.args[0] !== undefined)
        add("r", parsed.args[0]);
      if (parsed.flags.includes("-i")) touches.writes.push(...touches.reads.splice(0));
      else if (/^s([/|,#])=\.\*\1(?:(?!\1)[^&\\])*\1[gp]*$/.test(parsed.args[0] ?? ""))
        usesVariables(touches);
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
  "awk gawk mawk nawk": {
    values: "-F -v -f -e -i --file --source --field-separator --assign --include",
    same: "--file=-f --source=-e --include=-i",
    access: "- r*",
    optionAccess: { "-f": "u" },
    addAccess: (parsed, add, touches) => {
      const [first] = parsed.args;
      if (first !== undefined && parsed.flags.some((flag) => AWK_PROGRAM.includes(flag))) add("r", first);
      if (valuesOf(parsed, "-i").includes("inplace")) touches.writes.push(...touches.reads.splice(0));
      if (valuesOf(parsed, "-F").some(isEqualsSign) && /^\s*\{ ?print \$1 ?\}\s*$/.test(first ?? ""))
        usesVariables(touches);
    },
    code: awkCode,
    empties: ({ words, parsed }) => {
      const code = awkCode(words, parsed) ?? "";
      const patterns = code.replaceAll(/(?:BEGIN|END)?\s*\{[^{}]*\}/g, "").trim();
      return valuesOf(parsed, "-i").includes("inplace") && patterns === "" && !/print/.test(code);
    },
    traits: ["filters", "feedsCommands", "interpreter"],
  },
  "dos2unix unix2dos": { access: "w*" },
  "ed red": { access: "w*", code: editorCommands, empties: deletesLines },
  sd: {
    values: "-n -f --max-replacements",
    same: "--preview=-p",
    access: "- - w*",
    addAccess: (parsed, _add, touches) => {
      if (parsed.flags.includes("-p")) touches.reads.push(...touches.writes.splice(0));
    },
  },
  dasel: {
    values: "-f -r -w -v -t -o --file --out --value --type",
    same: "--file=-f --out=-o",
    access: "-*",
    optionAccess: { "-o": "w" },
    addAccess: showsOrChanges,
  },
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
    empties: deletesLines,
  },
  emacs: {
    access: "w*",
    commandArgument: /shell-command\s+"([^"]+)"/s,
    code: codeAfter("--eval", "-eval"),
    traits: ["needsParser"],
  },
  emacsclient: {
    commandArgument: /shell-command\s+"([^"]+)"/s,
    code: codeAfter("-e", "--eval", "-eval"),
    traits: ["needsParser"],
  },
};
