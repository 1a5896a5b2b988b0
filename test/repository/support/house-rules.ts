import { type Token, tokens } from "./tokens.ts";

/** No file is longer. */
const MOST_LINES = 400;

/** Ways to leave tests out that give no reason, which the end of the run would say. */
const LEAVES_OUT = new Set(["only", "skip", "skipIf", "runIf", "todo"]);

const SILENCED = /@ts-(?:ignore|nocheck|expect-error)|biome-ignore/;
const LEFT_OVER = /\b(?:TODO|FIXME|XXX)\b/;

/** Says what the house rules do not allow in a source, one sentence for each place. */
export function brokenRules(file: string, source: string): readonly string[] {
  const all = tokens(source);
  const lines = source.trimEnd().split("\n").length;
  const tooLong = lines > MOST_LINES ? [`${file} has ${lines} lines; ${MOST_LINES} is the limit.`] : [];
  const inComments = all.flatMap(({ kind, text, line }) => {
    if (kind !== "comment") return [];
    if (SILENCED.test(text)) return [`${file}:${line} silences a checker.`];
    return LEFT_OVER.test(text) ? [`${file}:${line} leaves work behind; an issue is the place for it.`] : [];
  });
  const code = all.filter(({ kind }) => kind !== "comment");
  return [...tooLong, ...inComments, ...code.flatMap((_, index) => inCode(file, code, index))];
}

const isShipped = (file: string) => !file.startsWith("test/");

function inCode(file: string, code: readonly Token[], index: number): readonly string[] {
  const { kind, text, line } = code[index] ?? { kind: "sign", text: "", line: 0 };
  if (kind !== "word") return [];
  const before = code[index - 1]?.text;
  const after = code[index + 1]?.text ?? "";
  if (text === "any" && before !== "." && !":?(".includes(after || "end"))
    return [`${file}:${line} says any.`];
  if (isShipped(file) && text === "timeout" && before === "." && code[index - 2]?.text === "AbortSignal")
    return [`${file}:${line} says AbortSignal.timeout, which garbage collection may end; see startDeadline.`];
  if (
    before === "." &&
    LEAVES_OUT.has(text) &&
    ["test", "it", "describe", "suite"].includes(code[index - 2]?.text ?? "")
  )
    return [`${file}:${line} says .${text}, so tests do not run.`];
  return [];
}
