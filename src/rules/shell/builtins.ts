import type { Frame } from "./frame.ts";
import { isKnown, shown, unknown } from "./marked.ts";
import { joinPath } from "./paths.ts";
import { CHOSEN } from "./program-name.ts";
import { assign, change } from "./scope.ts";
import { printsSetup } from "./setup.ts";
import { runSourced } from "./shells.ts";
import { withoutTrailing } from "./text.ts";
import { walkText } from "./walk.ts";

type Builtin = (words: readonly string[], frame: Frame) => string | undefined;

const declare: Builtin = (words, frame) => {
  // A reference gives a variable a second name, and is not followed.
  if (words.some((word) => /^-[a-zA-Z]*n/.test(word))) frame.walk.dynamic = true;
  for (const word of words) {
    const equals = word.indexOf("=");
    if (equals > 0) assign(frame.scope, word.slice(0, equals), word.slice(equals + 1));
  }
  // Without a name, or with `-p`, it prints what there is.
  return words.every((word) => /^-[aAfFgilrtuxp]+$/.test(word)) ? undefined : "";
};

const changeFolder: Builtin = (words, frame) => {
  const target = words.find((word) => !/^-[LPe@]+$/.test(word) && word !== "--") ?? "~";
  const folder =
    target === "-" ? "$OLDPWD" : joinPath(frame.scope.folder, withoutTrailing(target, "/") || target);
  frame.scope.folder = folder;
  if (folder.length <= LONGEST_FOLDER) return "";
  // Each later path would carry it, and no system follows it.
  frame.scope.folder = "$PWD";
  frame.walk.dynamic = true;
  return "";
};

/** As long as a path may be on Linux. */
const LONGEST_FOLDER = 4_096;

/** Commands of the shell itself that change what later commands mean, or run text they are given. */
export const BUILTINS: Readonly<Record<string, Builtin>> = {
  export: declare,
  declare,
  typeset: declare,
  local: declare,
  readonly: declare,
  let: () => "",
  unset: (words, frame) => {
    for (const word of words) change(frame.scope).variables.delete(word);
    return "";
  },
  set: (words, frame) => {
    const dashes = words.indexOf("--");
    if (dashes !== -1) frame.scope.positional = words.slice(dashes + 1);
    return words.length === 0 ? undefined : "";
  },
  shift: (words, frame) => {
    frame.scope.positional = frame.scope.positional?.slice(Number(words[0] ?? 1) || 1);
    return "";
  },
  alias: (words, frame) => {
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
    for (const name of names) {
      // Later lines come with later rounds of a loop, so a value is known only when there is one line and one name.
      if (CHOSEN.has(name)) frame.walk.dynamic = true;
      const known = names.length === 1 && line !== undefined && !line.includes("\n");
      change(frame.scope).variables.set(name, known ? line : unknown(`$${name}`));
      if (!known) frame.walk.substitutions.set(`$${name}`, frame.stdin);
    }
    return "";
  },
  mapfile: (words, frame) => {
    change(frame.scope).variables.set(words.at(-1) ?? "MAPFILE", undefined);
    return "";
  },
  getopts: (words, frame) => {
    if (words[1] !== undefined) change(frame.scope).variables.set(words[1], undefined);
    return "";
  },
  eval: (words, frame) => runUnlessSetup(words.join(" "), frame),
  trap: (words, frame) => {
    const text = words.filter((word) => word !== "--")[0];
    if (text !== undefined && text !== "-" && text !== "" && !/^-[lp]$/.test(text))
      walkText(shown(text), frame);
    return "";
  },
  source: (words, frame) => runSourced(words, frame),
  ".": (words, frame) => runSourced(words, frame),
};

function runUnlessSetup(text: string, frame: Frame): string | undefined {
  const source = shown(text).trim();
  const stream = frame.walk.substitutions.get(source);
  if (!isKnown(text) && stream !== undefined && printsSetup(stream)) return undefined;
  return walkText(source, frame);
}
