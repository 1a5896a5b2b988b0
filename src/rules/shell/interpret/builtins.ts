import { joinPath } from "../behaviours/paths.ts";
import { CHOSEN } from "../programs/program-name.ts";
import { printsSetup } from "../programs/setup.ts";
import { MATTERS } from "../programs/variables.ts";
import { isKnown, shown, unknown } from "../words/partly-known-text.ts";
import { withoutTrailing } from "../words/text.ts";
import { type Frame, noteSource } from "./frame.ts";
import { assign, change, fixValue } from "./scope.ts";
import { perhaps, SOME_FOLDER } from "./settle.ts";
import { runSourced } from "./shells.ts";

type Builtin = (words: readonly string[], frame: Frame) => string | undefined;

/** `export` and, with the name of the variable for itself, the others. */
const give: Builtin = (words, frame) => {
  // A reference gives a variable a second name, and with others its values are written differently: not followed.
  if (words.some((word) => /^-[a-zA-Z]*[nluc]/.test(word))) frame.walk.dynamic = true;
  for (const word of words) {
    const equals = word.indexOf("=");
    if (equals > 0) assign(frame.scope, word.slice(0, equals), word.slice(equals + 1));
  }
  // Without a name, or with `-p`, it prints what there is.
  return words.every((word) => /^-[aAfFgilrtuxp]+$/.test(word)) ? undefined : "";
};

const fix: Builtin = (words, frame) => {
  const output = give(words, frame);
  for (const name of namesIn(words)) fixValue(frame.scope, name);
  return output;
};

const declare: Builtin = (words, frame) => {
  const { locals } = frame.scope;
  if (locals !== undefined && !words.some((word) => /^-[a-zA-Z]*g/.test(word)))
    for (const name of namesIn(words)) {
      locals.add(name);
      assign(frame.scope, name, undefined);
    }
  return words.some((word) => /^-[a-zA-Z]*r/.test(word)) ? fix(words, frame) : give(words, frame);
};

function namesIn(words: readonly string[]): readonly string[] {
  return words.flatMap((word) => /^[A-Za-z_]\w*/.exec(word) ?? []);
}

const changeFolder: Builtin = (words, frame) => {
  const [target = "~", other] = words.filter((word) => !/^-[LPe@]+$/.test(word) && word !== "--");
  // With two some shells go nowhere, and others to what they make of them.
  const folder =
    other !== undefined
      ? SOME_FOLDER
      : target === "-"
        ? "$OLDPWD"
        : joinPath(frame.scope.folder, withoutTrailing(target, "/") || target);
  frame.scope.folder = folder;
  if (folder.length <= LONGEST_FOLDER) return "";
  // Each later path would carry it, and no system follows it.
  frame.scope.folder = "$PWD";
  frame.walk.dynamic = true;
  return "";
};

/** As long as a path may be on Linux. */
const LONGEST_FOLDER = 4_096;

const readLines: Builtin = (words, frame) => {
  assign(frame.scope, words.findLast((word) => /^[A-Za-z_]\w*$/.test(word)) ?? "MAPFILE", undefined);
  const callback = words.findIndex((word) => /^-\w*C$/.test(word));
  if (callback !== -1) perhaps(frame, () => frame.walk.run.text(shown(words[callback + 1] ?? ""), frame));
  return "";
};

/** `complete -C text`, `compgen -C text`, `bind -x 'key: text'`: the shell runs the text when it likes. */
const runsLater: Builtin = (words, frame) => {
  const at = words.findIndex((word) => /^-\w*[Cx]$/.test(word));
  const text = at === -1 ? "" : shown(words[at + 1] ?? "").replace(/^\s*"[^"]*"\s*:/, "");
  if (text !== "") perhaps(frame, () => frame.walk.run.text(text, frame));
  return undefined;
};

/** Commands of the shell itself that change what later commands mean, or run text they are given. */
export const BUILTINS: Readonly<Record<string, Builtin>> = {
  export: give,
  declare,
  typeset: declare,
  local: declare,
  readonly: fix,
  let: () => "",
  unset: (words, frame) => {
    const { variables, arrays } = change(frame.scope);
    for (const word of words) {
      variables.delete(word);
      arrays.delete(word);
    }
    return "";
  },
  set: (words, frame) => {
    const first = words.findIndex(
      (word, at) => !/^[-+]./.test(word) && !/^[-+]\w*o$/.test(words[at - 1] ?? ""),
    );
    const dashes = words.indexOf("--");
    if (dashes !== -1 && (first === -1 || dashes < first)) frame.scope.positional = words.slice(dashes + 1);
    else if (first !== -1) frame.scope.positional = words.slice(words[first] === "-" ? first + 1 : first);
    return words.length === 0 ? undefined : "";
  },
  shopt: (words, frame) => {
    // Then the end of a pipeline changes this shell, in a way that is not followed.
    if (words.includes("lastpipe")) frame.walk.dynamic = true;
    return words.length < 2 ? undefined : "";
  },
  shift: (words, frame) => {
    frame.scope.positional = frame.scope.positional?.slice(Number(words[0] ?? 1) || 1);
    return "";
  },
  alias: (words, frame) => {
    // Those of zsh for any word of a line, and for the ends of names: not followed.
    if (words.some((word) => /^-\w*[gs]/.test(word))) frame.walk.dynamic = true;
    for (const word of words) {
      const equals = word.indexOf("=");
      if (equals > 0) change(frame.scope).aliases.set(word.slice(0, equals), word.slice(equals + 1));
    }
    return "";
  },
  cd: changeFolder,
  pushd: changeFolder,
  popd: (_words, frame) => {
    frame.scope.folder = "";
    return "";
  },
  read: (words, frame) => {
    const names = words.filter((word) => /^[A-Za-z_]\w*$/.test(word));
    const line = frame.stdin.text?.trim();
    const whole =
      words.every((word) => !/^-[^rsep]/.test(word)) && !frame.scope.tables.variables.get("IFS")?.trim();
    for (const name of names) {
      // Later lines come with later rounds of a loop, so a value is known only when there is one line and one name.
      if (CHOSEN.has(name) || MATTERS.test(`${name}=`)) frame.walk.dynamic = true;
      const known = whole && names.length === 1 && line !== undefined && !line.includes("\n");
      assign(frame.scope, name, known ? line : unknown(`$${name}`));
      if (!known) noteSource(frame.walk, `$${name}`, frame.stdin);
    }
    return "";
  },
  mapfile: readLines,
  readarray: readLines,
  getopts: (words, frame) => {
    if (words[1] !== undefined) assign(frame.scope, words[1], undefined);
    return "";
  },
  complete: runsLater,
  compgen: runsLater,
  bind: runsLater,
  eval: (words, frame) => runUnlessSetup(words.join(" "), frame),
  trap: (words, frame) => {
    const text = words.filter((word) => word !== "--")[0];
    if (text !== undefined && text !== "-" && text !== "" && !/^-[lp]$/.test(text))
      perhaps(frame, () => frame.walk.run.text(shown(text), frame));
    return "";
  },
  source: (words, frame) => runSourced(words, frame),
  ".": (words, frame) => runSourced(words, frame),
};

function runUnlessSetup(text: string, frame: Frame): string | undefined {
  const source = shown(text).trim();
  const stream = frame.walk.substitutions?.get(source);
  if (!isKnown(text) && stream !== undefined && printsSetup(stream)) return undefined;
  return frame.walk.run.text(source, frame);
}
