import { noteArithmetic } from "../../expand/evaluated.ts";
import { ALL_VARIABLES, isSecretWhenPrinted, secretVariables } from "../../judge/secret-names.ts";
import type { Frame } from "../../state/frame.ts";
import { assign, assignList, assignNamed, change, unassign, unseen } from "../../state/scope.ts";
import { perhaps, UNKNOWN_FOLDER } from "../../state/settle.ts";
import { holdsSecrets, printsSetup, runSourced } from "../../state/shells.ts";
import { joinPath } from "../../words/paths.ts";
import { isKnown, shown, unknownParts, withoutTrailing } from "../../words/text.ts";
import { formatPrintf, unescaped } from "../emulate.ts";
import { CHANGES_PROGRAMS, CHOSEN } from "../program-name.ts";
import type { Invocation, ProgramFamily, Run, Wrapper } from "../program-row.ts";
import { PLAIN, withoutDisclosing } from "../row-parts.ts";
import { SCRIPTS } from "../service-changes.ts";

const IN_SHELL: Wrapper = { transparent: true, inShell: true };

/** `export`, and with `-r` or names of their own the other declarations. */
const assignAll: Run = (words, frame) => {
  // `-n` makes a second name for a variable, others change how values are written. Neither is followed.
  if (words.some((word) => /^-[a-zA-Z]*[nluc]/.test(word))) frame.walk.dynamic = true;
  for (const word of words) {
    const [part] = word.startsWith("\uE000") ? unknownParts(word) : [];
    const equals = part === undefined ? word.indexOf("=") : -1;
    if (equals > 0) assign(frame.scope, word.slice(0, equals), word.slice(equals + 1));
    // `export $(cat .env)`: what it sets is in a file.
    if (part !== undefined) frame.scope.sourced = holdsSecrets(frame.walk.substitutions.get(part));
  }
  // Without a name, or with `-p`, it prints what there is.
  return words.every((word) => /^-[aAfFgilrtuxp]+$/.test(word)) ? undefined : "";
};

const makeReadOnly: Run = (words, frame) => {
  const output = assignAll(words, frame);
  for (const name of namesIn(words)) frame.scope.fixed.add(name);
  return output;
};

const declare: Run = (words, frame) => {
  const { locals } = frame.scope;
  if (locals !== undefined && !words.some((word) => /^-[a-zA-Z]*g/.test(word)))
    for (const name of namesIn(words)) {
      locals.add(name);
      assign(frame.scope, name, undefined);
    }
  return words.some((word) => /^-[a-zA-Z]*r/.test(word))
    ? makeReadOnly(words, frame)
    : assignAll(words, frame);
};

function namesIn(words: readonly string[]): readonly string[] {
  return words.flatMap((word) => /^[A-Za-z_]\w*/.exec(word) ?? []);
}

const changeFolder: Run = (words, frame) => {
  const [target = "~", other] = words.filter((word) => !/^-[LPe@]+$/.test(word) && word !== "--");
  // With two some shells go nowhere, and others to what they make of them.
  const folder =
    other !== undefined
      ? UNKNOWN_FOLDER
      : target === "-"
        ? "$OLDPWD"
        : joinPath(frame.scope.folder, withoutTrailing(target, "/") || target);
  const { scope, walk } = frame;
  const isThere = CERTAIN_FOLDER.test(shown(folder)) || walk.made.has(shown(folder));
  const isUp = /^\.\.(?:\/\.\.)*\/?$/.test(target);
  if (isThere || scope.stopsOnError) scope.otherFolder = undefined;
  else if (!isUp) scope.otherFolder ??= scope.folder;
  else if (scope.otherFolder !== undefined) scope.otherFolder = joinPath(scope.otherFolder, target);
  scope.folder = folder;
  if (folder.length <= LONGEST_FOLDER) return "";
  // Each later path would carry it, and no system follows it.
  scope.folder = "$PWD";
  walk.dynamic = true;
  return "";
};

/** Folders that every machine has, and the new ones of `mktemp`. */
const CERTAIN_FOLDER = /^(?:\/|~|\.|\/(?:tmp|var\/tmp|home|usr|etc|var)\/?|\/tmp\/tmp\.X+)$/;

/** As long as a path may be on Linux. */
const LONGEST_FOLDER = 4_096;

/** Words that may be the names of variables: those that are unknown, and what follows `-a` without a blank. */
function variablesIn(words: readonly string[]): readonly string[] {
  return words.flatMap((word) => {
    if (!isKnown(word)) return [word];
    return /^(?:-\w*?[aA])?([A-Za-z_]\w*(?:\[.*|\?.*)?)$/s.exec(word)?.[1] ?? [];
  });
}

const readLines: Run = (words, frame) => {
  const given = variablesIn(words);
  const { text } = frame.stdin;
  const [name = "MAPFILE"] = given;
  for (const each of [name, ...given]) assignNamed(frame.scope, each, undefined);
  const isPlain = given.length <= 1 && words.every((word) => word === "-t" || word === name);
  if (isPlain && text !== undefined && isKnown(text) && isKnown(name) && words.includes("-t"))
    assignList(frame.scope, name, text.replace(/\n$/, "").split("\n"));
  const callback = words.findIndex((word) => /^-\w*C$/.test(word));
  if (callback !== -1) perhaps(frame, () => frame.walk.run.text(shown(words[callback + 1] ?? ""), frame));
  return "";
};

/** `complete -C text`, `compgen -C text`, `bind -x 'key: text'`: the shell runs the text when it likes. */
const runsLater: Run = (words, frame) => {
  const at = words.findIndex((word) => /^-\w*[Cx]$/.test(word));
  const text = at === -1 ? "" : shown(words[at + 1] ?? "").replace(/^\s*"[^"]*"\s*:/, "");
  if (text !== "") perhaps(frame, () => frame.walk.run.text(text, frame));
  return undefined;
};

function runUnlessSetup(text: string, frame: Frame): string | undefined {
  const source = shown(text).trim();
  const stream = frame.walk.substitutions.get(source);
  if (!isKnown(text) && stream !== undefined && printsSetup(stream)) return undefined;
  return frame.walk.run.text(source, frame);
}

function lookUp(words: readonly string[]): string | undefined {
  const name = words.at(-1);
  return name === undefined || name.startsWith("-") ? undefined : `${name}\n`;
}

/** `declare -p`, `export`: without a name they print every variable, with `-p NAME` that one. */
function declaredSecrets({ words }: Invocation): readonly string[] {
  const names = words.filter((word) => !word.startsWith("-"));
  if (words.some((word) => /^-[a-zA-Z]*[fF]/.test(word))) return [];
  if (names.length === 0) return ALL_VARIABLES;
  if (!words.some((word) => /^-[a-zA-Z]*p/.test(word))) return [];
  return names.filter(isSecretWhenPrinted).map((name) => `$${name}`);
}

function secretsInWords({ words }: Invocation): readonly string[] {
  const named = words.flatMap(secretVariables).map((variable) => `$${variable}`);
  // `${!name}` of an unknown name is any variable.
  const mayBeAll = words.some((word) => unknownParts(word).some((part) => /^\$\{!\w+\}$/.test(part)));
  return mayBeAll ? [...named, ...ALL_VARIABLES] : named;
}

/** Shells, and the commands that are part of one. */
export const BUILTINS: ProgramFamily = {
  sh: { ...SCRIPTS, values: "-c -o -O --rcfile --init-file", access: "u -*", traits: ["shell"] },
  "bash zsh dash ksh ash mksh fish": { ...SCRIPTS, like: "sh", traits: ["shell"] },
  "pdksh csh tcsh yash rbash oksh posh elvish nu xonsh osh ysh": { traits: ["shell"] },
  export: {
    builtin: (words, frame) => {
      // `export $(cat .env | xargs)` shows as much as `source .env`.
      const files = words.flatMap((word) => frame.walk.substitutions.get(shown(word))?.from ?? []);
      withoutDisclosing(frame.walk, files);
      return assignAll(words, frame);
    },
    printsSecret: declaredSecrets,
    traits: ["filters", "printsVariables", "needsParser", "namesOnly"],
  },
  "declare typeset": {
    builtin: declare,
    printsSecret: declaredSecrets,
    traits: ["printsVariables", "needsParser", "namesOnly"],
  },
  local: { builtin: declare, traits: ["needsParser", "namesOnly"] },
  readonly: {
    builtin: makeReadOnly,
    printsSecret: declaredSecrets,
    traits: ["printsVariables", "needsParser", "namesOnly"],
  },
  let: {
    builtin: (words, frame) => {
      for (const word of words) noteArithmetic(shown(word), frame);
      return "";
    },
    traits: ["needsParser", "namesOnly"],
  },
  unset: {
    builtin: (words, frame) => {
      for (const word of words) if (!word.startsWith("-")) unassign(frame.scope, word);
      return "";
    },
    traits: ["namesOnly"],
  },
  set: {
    builtin: (words, frame) => {
      const first = words.findIndex(
        (word, at) => !/^[-+]./.test(word) && !/^[-+]\w*o$/.test(words[at - 1] ?? ""),
      );
      const dashes = words.indexOf("--");
      if (dashes !== -1 && (first === -1 || dashes < first)) frame.scope.positional = words.slice(dashes + 1);
      else if (first !== -1) frame.scope.positional = words.slice(words[first] === "-" ? first + 1 : first);
      for (const [at, word] of words.entries()) {
        if (/^-[a-zA-Z]*e/.test(word) || (word === "errexit" && words[at - 1] === "-o"))
          frame.scope.stopsOnError = true;
        if (/^\+[a-zA-Z]*e/.test(word) || (word === "errexit" && words[at - 1] === "+o"))
          frame.scope.stopsOnError = false;
      }
      return words.length === 0 ? undefined : "";
    },
    printsSecret: ({ words }) => (words.length === 0 ? ALL_VARIABLES : []),
    traits: ["filters", "printsVariables", "namesOnly"],
  },
  shopt: {
    builtin: (words, frame) => {
      // Then the end of a pipeline changes this shell, in a way that is not followed.
      if (words.includes("lastpipe")) frame.walk.dynamic = true;
      return words.length < 2 ? undefined : "";
    },
  },
  shift: {
    builtin: (words, frame) => {
      frame.scope.positional = frame.scope.positional?.slice(Number(words[0] ?? 1) || 1);
      return "";
    },
  },
  alias: {
    builtin: (words, frame) => {
      // Those of zsh for any word of a line, and for the ends of names: not followed.
      if (words.some((word) => /^-\w*[gs]/.test(word))) frame.walk.dynamic = true;
      for (const word of words) {
        const equals = word.indexOf("=");
        if (equals > 0) change(frame.scope).aliases.set(word.slice(0, equals), word.slice(equals + 1));
      }
      return "";
    },
    traits: ["needsParser", "namesOnly"],
  },
  cd: { builtin: changeFolder, traits: ["filters", "namesOnly"] },
  pushd: { builtin: changeFolder, traits: ["namesOnly"] },
  popd: {
    builtin: (_words, frame) => {
      frame.scope.folder = "";
      return "";
    },
    traits: ["namesOnly"],
  },
  read: {
    builtin: (words, frame) => {
      const given = variablesIn(words);
      const names = given.length === 0 ? ["REPLY"] : given;
      const line = frame.stdin.text?.trim();
      const whole =
        words.every((word) => !/^-[^rsep]/.test(word)) && !frame.scope.tables.variables.get("IFS")?.trim();
      for (const name of names) {
        // Later lines come with later rounds of a loop, so a value is known only when there is one line and one name.
        if (CHOSEN.has(name) || CHANGES_PROGRAMS.test(`${name}=`)) frame.walk.dynamic = true;
        const known = whole && names.length === 1 && line !== undefined && !line.includes("\n");
        const value = known ? line : isKnown(name) ? unseen(name) : undefined;
        assignNamed(frame.scope, name, value);
        if (!known) frame.walk.substitutions.set(shown(value ?? `$${name}`), frame.stdin);
      }
      return "";
    },
    traits: ["filters", "namesOnly"],
  },
  mapfile: { builtin: readLines, traits: ["namesOnly"] },
  readarray: { builtin: readLines },
  getopts: {
    builtin: (words, frame) => {
      for (const name of ["OPTARG", "OPTIND", ...words.slice(1, 2)])
        assignNamed(frame.scope, name, undefined);
      return "";
    },
  },
  "complete compgen bind": { builtin: runsLater },
  eval: {
    builtin: (words, frame) => runUnlessSetup(words.join(" "), frame),
    traits: ["needsParser", "namesOnly"],
  },
  trap: {
    builtin: (words, frame) => {
      const text = words.filter((word) => word !== "--")[0];
      if (text !== undefined && text !== "-" && text !== "" && !/^-[lp]$/.test(text))
        perhaps(frame, () => frame.walk.run.text(shown(text), frame));
      return "";
    },
    traits: ["needsParser", "namesOnly"],
  },
  "source .": { access: "u -*", builtin: runSourced, traits: ["needsParser", "runsFiles"] },
  "true :": { output: () => "", traits: ["filters", "silent"] },
  false: { output: () => "" },
  "test [": { output: () => "", traits: ["filters", "namesOnly"] },
  "[[ exit return jobs": { traits: ["namesOnly"] },
  sleep: { output: () => "", traits: ["filters"] },
  echo: {
    output: (words) => {
      let at = 0;
      while (/^-[neE]+$/.test(words[at] ?? "")) at += 1;
      const options = words.slice(0, at).join("");
      const text = words.slice(at).join(" ");
      const end = options.includes("n") ? "" : "\n";
      return (options.includes("e") ? unescaped(text) : text) + end;
    },
    printsSecret: secretsInWords,
    traits: ["filters", "silent", "namesOnly"],
  },
  printf: {
    output: formatPrintf,
    printsSecret: secretsInWords,
    renames: "variable",
    traits: ["filters", "silent", "namesOnly"],
  },
  print: { printsSecret: secretsInWords, traits: ["namesOnly"] },
  which: { output: lookUp, traits: ["namesOnly"] },
  // The command prompt and PowerShell show files with it.
  type: {
    access: "r*",
    output: (words) => (words[0] === "-p" || words[0] === "-P" ? lookUp(words) : undefined),
    traits: ["namesOnly"],
  },
  hash: { renames: "program", traits: ["namesOnly"] },
  wait: {
    builtin: (words, frame) => {
      const at = words.indexOf("-p");
      if (at !== -1) assignNamed(frame.scope, words[at + 1] ?? "", undefined);
      return "";
    },
    traits: ["namesOnly"],
  },
  command: { wraps: IN_SHELL, output: (words) => (words[0] === "-v" ? lookUp(words) : undefined) },
  "builtin ! nocorrect noglob": { wraps: IN_SHELL },
  exec: { wraps: { values: "-a", transparent: true, inShell: true }, traits: ["needsParser"] },
  "- {": { wraps: PLAIN },
  repeat: { wraps: { skip: 1, transparent: true } },
  emulate: { wraps: { scripts: "-c", skip: 99 } },
  sched: { wraps: { skip: 1, text: true } },
};
