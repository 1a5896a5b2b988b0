import { isThrowAway } from "../../judge/throw-away.ts";
import { BARE_CONTEXT, deeper, type Frame, giveUp, type Stream } from "../../state/frame.ts";
import { joinPath } from "../../words/paths.ts";
import { ITEM, replaceWithin, shown, splitFields, unknown, withoutTrailing } from "../../words/text.ts";
import { unescaped } from "../emulate.ts";
import type { ProgramFamily } from "../program-row.ts";
import { reach } from "../row-parts.ts";

const MOST_ITEMS = 64;

const XARGS_VALUES = new Set(
  "-I -J -L -n -P -R -S -s -d -E -a --max-args --max-procs --delimiter --arg-file --max-chars --process-slot-var".split(
    " ",
  ),
);
const PARALLEL_VALUES = new Set(
  "-a -C -d -D -E -I -j -J -L -n -N -P -s -S -U -W --arg-file --arg-file-sep --arg-sep --basefile --bf --block --block-size --colsep --compress-program --delay --delimiter --env --filter --halt --halt-on-error --header --id --jobs --joblog --limit --load --max-args --max-chars --max-lines --max-procs --max-replace-args --memfree --memsuspend --nice --profile --recend --recstart --results --retries --return --rpl --semaphorename --seqreplace --sql --sqlmaster --ssh --sshdelay --sshlogin --sshloginfile --slf --tagstring --template --tempdir --termseq --timeout --tmpdir --trc --transferfile --tf --trim --wd --workdir".split(
    " ",
  ),
);

/** More paths than this become everything below the starting points; each point has one for each name. */
const MOST_PATHS = 1_024;

/** The paths `find` would find, as globs: its starting points with the names it looks for. */
function foundBy(words: readonly string[]): readonly string[] {
  const end = words.findIndex((word) => /^[-(!]/.test(word));
  const roots = end === -1 ? words : words.slice(0, end);
  const starts = roots.length === 0 ? ["."] : roots;
  const patterns = namesAskedFor(words).map((name) => {
    if (!name.includes("/")) return `**/${name}`;
    return name.replace(/^(?:\.\/)?\*+\//, "**/");
  });
  if (patterns.length === 0 || patterns.length * starts.length > MOST_PATHS)
    patterns.splice(0, patterns.length, "**");
  const paths: string[] = [];
  for (const start of starts) {
    const root = withoutTrailing(start, "/");
    for (const pattern of patterns) paths.push(/^[/~]/.test(pattern) ? pattern : `${root}/${pattern}`);
  }
  return paths;
}

const FD_VALUES =
  /^(?:-[tdEScjo]|--(?:type|exclude|size|owner|color|threads|(?:max|min|exact)?-?depth|changed-\w+))$/;

/** The paths `fd` would find, as globs. Its pattern is an expression for a part of the name. */
function foundByFd(words: readonly string[]): readonly string[] {
  const endings: string[] = [];
  const given: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (/^(?:-e|--extension)$/.test(word)) endings.push(words[at + 1] ?? "*");
    if (/^(?:-e|--extension)$/.test(word) || FD_VALUES.test(word)) at += 1;
    else if (!word.startsWith("-")) given.push(word);
  }
  const [pattern = "", ...roots] = given;
  const plain = /^\^?((?:\\?\.)?[\w-]+(?:\\?\.\w+)?)\$?$/.exec(pattern)?.[1]?.replaceAll("\\", "");
  // Output of tools is meant as a whole name, anything else may be a part of one.
  const name = plain === undefined ? "" : isThrowAway(plain) ? `/${plain}` : `/*${plain}*`;
  const names = endings.length > 0 ? endings.map((ending) => `/*.${ending}`) : [name];
  const starts = roots.length === 0 ? ["."] : roots;
  return starts.flatMap((start) => names.map((one) => `${withoutTrailing(start, "/")}/**${one}`));
}

function namesAskedFor(words: readonly string[]): readonly string[] {
  const names: string[] = [];
  for (const [index, word] of words.entries()) {
    const asked = /^-i?(?:name|path|wholename)$/.test(word) && !/^(?:!|-not)$/.test(words[index - 1] ?? "");
    if (asked) names.push(words[index + 1] ?? "*");
  }
  return names;
}

/** With these tests alone, the words of `find` determine every file it finds. */
const PLAIN_TESTS = /^-(?:delete|i?name|print0?|depth|o|or)$/;

const TESTS_WITH_VALUE =
  /^-(?:i?name|i?path|i?wholename|i?regex|type|size|user|group|perm|[acm](?:time|min)|newer|(?:max|min)depth)$/;

/** The word with an item in each of its places; unknown when that makes it too long. */
function withItem(word: string, place: string, item: string): string {
  return replaceWithin(word, place, item) ?? unknown("…");
}

/** The text of `parallel` with an item for each `{}`, `{.}` and the like, or at its end. */
function withItems(text: string, item: string): string {
  const plain = text.replace(/\{[^}]{0,4}\}/g, "{}");
  return plain.includes("{}") ? withItem(plain, "{}", item) : `${text} ${item}`;
}

function runInner(words: readonly string[], frame: Frame): string | undefined {
  return frame.walk.run.words(words, deeper(frame), BARE_CONTEXT);
}

/** Runs a command with each item in its places; of very many the last is an unknown one. */
function runEach(words: readonly string[], items: readonly string[], frame: Frame): void {
  const some = items.length > MOST_ITEMS ? [...items.slice(0, MOST_ITEMS), unknown(ITEM)] : items;
  for (const item of some)
    runInner(
      words.map((word) => withItem(word, "{}", item)),
      frame,
    );
}

/** The items that flow in, between separators; one unknown item when they are unknown. */
function itemsFrom(text: string | undefined, separator: string | undefined): readonly string[] {
  if (text === undefined) return [unknown(ITEM)];
  const items = separator === undefined ? quotedItems(text) : text.replace(/\n$/, "").split(separator);
  return items.filter((item) => item !== "").slice(0, MOST_ITEMS + 1);
}

/** White space separates, quotes and backslashes keep together, as `xargs` reads its input. */
function quotedItems(text: string): readonly string[] {
  if (!/["'\\]/.test(text)) return splitFields(text.replaceAll("\0", "\n"));
  const items: string[] = [];
  let current = "";
  for (const [piece] of text.matchAll(/"[^"\n]*"|'[^'\n]*'|\\[\s\S]|\s+|[^\s"'\\]+|["']/g)) {
    if (/^\s/.test(piece)) {
      items.push(current);
      current = "";
    } else current += /^["']./.test(piece) ? piece.slice(1, -1) : piece.replace(/^\\/, "");
  }
  return [...items, current];
}

/** What separates the items: an option says so, and with a placeholder it is the end of the line. */
function separatorOf(words: readonly string[], values: OptionValues, byLine: boolean): string | undefined {
  if (words.some((word) => /^(?:-[a-zA-Z]*0[a-zA-Z]*|--null)$/.test(word))) return "\0";
  const given = values.find(([flag]) => flag === "-d" || flag === "--delimiter")?.[1];
  if (given !== undefined) return unescaped(given) || "\0";
  return byLine ? "\n" : undefined;
}

type OptionValues = readonly (readonly [string, string])[];

/** The items of each call: `-n 2` takes two at a time. */
function batches(items: readonly string[], most: number): readonly (readonly string[])[] {
  if (!(most > 0) || items.length <= most) return [items];
  return Array.from({ length: Math.ceil(items.length / most) }, (_, at) =>
    items.slice(at * most, (at + 1) * most),
  );
}

function passOptions(
  words: readonly string[],
  values: ReadonlySet<string>,
): { at: number; values: OptionValues } {
  const found: [string, string][] = [];
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (word === "--") return { at: at + 1, values: found };
    if (!word.startsWith("-")) break;
    const equals = word.indexOf("=");
    if (word === "-i" || word === "--replace") found.push([word, "{}"]);
    else if (values.has(word)) {
      found.push([word, words[at + 1] ?? ""]);
      at += 1;
    } else if (word.startsWith("--") && equals !== -1)
      found.push([word.slice(0, equals), word.slice(equals + 1)]);
    else if (values.has(word.slice(0, 2))) found.push([word.slice(0, 2), word.slice(2)]);
    else if (values.has(`-${word.at(-1)}`)) {
      // A cluster such as `-0rI` ends in an option that takes the next word.
      found.push([`-${word.at(-1)}`, words[at + 1] ?? ""]);
      at += 1;
    } else if (/I/.test(word)) found.push(["-I", word.slice(word.indexOf("I") + 1)]);
  }
  return { at, values: found };
}

/** Programs that run a command for each of many items. */
export const FIND_AND_XARGS: ProgramFamily = {
  find: {
    values: "-fprintf -fprint -fprint0 -fls",
    addAccess: (parsed, add) => {
      const { flags, args } = parsed;
      // Without a starting point it begins in the working folder.
      const isHere = args.length <= flags.filter((flag) => TESTS_WITH_VALUE.test(flag)).length;
      if (flags.includes("-delete")) add("w", isHere ? "." : (args[0] ?? "."));
      for (const { value } of parsed.options) add("w", value);
    },
    reach: ({ parsed, words, folder }) => {
      if (!parsed.flags.includes("-delete")) return [];
      const paths = foundBy(words).map((path) => joinPath(folder, path));
      return reach("writes", paths, { certain: parsed.flags.every((flag) => PLAIN_TESTS.test(flag)) });
    },
    repeats: (words, frame) => {
      const found = foundBy(words);
      for (let at = 0; at < words.length; at += 1) {
        if (!/^-(?:exec|execdir|ok|okdir)$/.test(words[at] ?? "")) continue;
        const end = words.findIndex(
          (word, index) => index > at && (word === ";" || (word === "+" && words[index - 1] === "{}")),
        );
        const inner = words.slice(at + 1, end === -1 ? undefined : end);
        // Where they are arguments, all files can be those of one call.
        if (inner[0] !== "{}" && inner.every((word) => word === "{}" || !word.includes("{}")))
          runInner(
            inner.flatMap((word) => (word === "{}" ? found : [word])),
            frame,
          );
        else runEach(inner, found, frame);
        if (end !== -1) at = end;
      }
      const end = words.includes("-print0") ? "\0" : "\n";
      return found.map((item) => `${item}${end}`).join("");
    },
    loses: ({ parsed, words, folder }) => {
      const wanted = parsed.flags.includes("-delete") && !parsed.flags.includes("-empty");
      const found = wanted ? foundBy(words) : [];
      return found.map((path) => joinPath(folder, path)).filter((path) => !isThrowAway(path));
    },
    traits: ["oneDash", "needsParser"],
  },
  "fd fdfind": {
    repeats: (words, frame) => {
      // `-x rm`, `-Hx rm`, `-xrm`, `--exec=rm`. A value may follow `-e`, `-t` and others without a space: `-tx` is no exec.
      const exec = /^(?:--exec(?:-batch)?(?:=(.*))?|-[HILpgsiauvl0q1F]*[xX](.*))$/s;
      const at = words.findIndex((word) => exec.test(word));
      if (at === -1) return undefined;
      const [, long, short] = exec.exec(words[at] ?? "") ?? [];
      const first = [long, short].filter((word) => word !== undefined && word !== "");
      const inner = [...first, ...words.slice(at + 1)].map((word) => `${word}`.replace(/\{[./]*\}/g, "{}"));
      const placed = inner.some((word) => word.includes("{}")) ? inner : [...inner, "{}"];
      runEach(placed, foundByFd(words.slice(0, at)), frame);
      return undefined;
    },
    traits: ["needsParser", "namesOnly"],
  },
  xargs: {
    repeats: (words, frame) => {
      const { at, values } = passOptions(words, XARGS_VALUES);
      const inner = words.slice(at);
      const placeholder = values.find(([flag]) => /^(?:-I|-i|-J|--replace)$/.test(flag))?.[1];
      const file = values.find(([flag]) => /^(?:-a|--arg-file)$/.test(flag))?.[1];
      const stdin: Stream =
        file === undefined
          ? frame.stdin
          : (frame.walk.files.get(file) ?? { text: undefined, from: [], file });
      const own = words.slice(0, at);
      const items = itemsFrom(stdin.text, separatorOf(own, values, placeholder !== undefined));
      const most = Number(values.find(([flag]) => /^(?:-n|-L|--max-args)$/.test(flag))?.[1]);
      if (inner.length === 0) return frame.stdin.text;
      if (stdin.text === undefined) frame.walk.substitutions.set(ITEM, stdin);
      if (items.length > MOST_ITEMS) giveUp(frame.walk);
      if (placeholder === undefined) {
        const outputs = batches(items, most).map((batch) => runInner([...inner, ...batch], frame));
        return outputs.length === 1 ? outputs[0] : undefined;
      }
      for (const item of items)
        runInner(
          inner.map((word) => withItem(word, placeholder || "{}", item)),
          frame,
        );
      return undefined;
    },
    traits: ["filters", "needsParser", "namesOnly"],
  },
  parallel: {
    repeats: (words, frame) => {
      const { at, values } = passOptions(words, PARALLEL_VALUES);
      const marker = values.find(([flag]) => flag === "--arg-sep")?.[1];
      const list = words.findIndex(
        (word, index) => index >= at && (/^::::?\+?$/.test(word) || word === marker),
      );
      const inner = words.slice(at, list === -1 ? undefined : list);
      const items =
        list === -1 || words[list] === "::::"
          ? itemsFrom(frame.stdin.text, separatorOf(words.slice(0, at), values, true))
          : words.slice(list + 1);
      if (words.slice(0, at).some((word) => /^--dry-?run$/.test(word))) return undefined;
      for (const item of items.slice(0, MOST_ITEMS)) {
        const text = inner.join(" ");
        if (inner.length === 0) frame.walk.run.text(shown(item), frame);
        else frame.walk.run.text(shown(withItems(text, item)), deeper(frame));
      }
      if (items.length > MOST_ITEMS) giveUp(frame.walk);
      return undefined;
    },
    traits: ["needsParser", "namesOnly"],
  },
};
