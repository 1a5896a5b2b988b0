import { byProgram } from "../programs/by-program.ts";
import type { ParsedOptions } from "../programs/invocation.ts";

/** Options whose value is code, by program. */
const CODE_OPTIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ["python", ["-c"]],
  ["perl", ["-e", "-E"]],
  ["ruby", ["-e"]],
  ["node", ["-e", "-p"]],
  ["bun", ["-e", "--eval"]],
  ["deno", ["-e"]],
  ["php", ["-r"]],
  ["lua", ["-e"]],
  ["julia", ["-e"]],
  ["elixir", ["-e"]],
  ["swift", ["-e"]],
  ["erl", ["-eval"]],
  ["osascript", ["-e"]],
  ["Rscript", ["-e"]],
  ["groovy", ["-e"]],
  ["pwsh", ["-c", "-Command"]],
  ["powershell", ["-c", "-Command"]],
]);

const OTHER_CODE = new Set(["nodejs", "awk", "gawk", "mawk", "nawk", "vi", "vim", "nvim", "ex"]);

/** True for a program that {@link codeOf} may find code for. */
export const mayHoldCode: (program: string) => boolean = byProgram(
  (program) =>
    CODE_OPTIONS.has(program) ||
    OTHER_CODE.has(program) ||
    program.startsWith("python") ||
    program.startsWith("pypy"),
);

/** The program of awk, with the values of its variables as strings. */
function awkCode({ args: [code = ""], options }: ParsedOptions): string {
  const values = options.filter(({ flag }) => flag === "-v" || flag === "--assign");
  return [code, ...values.map(({ value }) => JSON.stringify(value.slice(value.indexOf("=") + 1)))].join("\n");
}

/** The inline code of a command, from its options or, for a bare interpreter, from standard input. */
export function codeOf(
  program: string,
  words: readonly string[],
  parsed: ParsedOptions,
  stdin: string | undefined,
): string | undefined {
  const name =
    /^python/.test(program) || /^pypy/.test(program) ? "python" : program === "nodejs" ? "node" : program;
  const flags = CODE_OPTIONS.get(name);
  if (/^[gmn]?awk$/.test(name)) return parsed.args[0] === undefined ? undefined : awkCode(parsed);
  if (name === "vim" || name === "vi" || name === "nvim" || name === "ex")
    return words.filter((word) => /^[:+]/.test(word)).join("\n") || undefined;
  if ((name === "deno" || name === "bun") && parsed.args[0] === "eval") return parsed.args[1];
  if ((name === "deno" || name === "bun") && parsed.args[0] === "run" && parsed.args[1] === "-") return stdin;
  if (flags === undefined) return undefined;
  const given = parsed.options.filter((option) => flags.includes(option.flag)).map((option) => option.value);
  if (given.length > 0) return given.join("\n");
  const loose = words.findIndex((word) => flags.includes(word) || /^-[a-zA-Z]*[eE]$/.test(word));
  if (loose !== -1 && words[loose + 1] !== undefined) return words[loose + 1];
  return parsed.args.length === 0 || parsed.args[0] === "-" ? stdin : undefined;
}
