import { relative } from "node:path";
import type { Tool, ToolContext } from "../../core/contracts/tool.ts";
import { compilePathGlob } from "../../core/match/glob.ts";
import { compileRegex, loadRegexEngine } from "../../rules/operators/regex.ts";
import type { Place } from "./files/workspace.ts";
import {
  flagField,
  flagOf,
  inputSchema,
  optionalNumber,
  optionalText,
  type ToolInput,
  textField,
  textOf,
} from "./input.ts";
import { type FileMatches, type LineSearch, searchFile } from "./search/search-file.ts";
import { type FoundFile, ignoredFolders, newestFirst, searchRoot, walk } from "./search/walk.ts";

const DEFAULT_LINES = 250;
const MOST_LINES = 5_000;
const MOST_CHARACTERS = 50_000;
const TOGETHER = 8;

const DESCRIPTION = `Searches the text of files of the workspace with a regular expression, line by line.

- The syntax is RE2: no lookaround, no back-references. Escape what is meant literally: \`foo\\(\\)\`.
- output_mode: files_with_matches (default) names the files, the one changed last first; content shows the lines; count says how many there are.
- Narrow the search with path (a folder or a file) and glob (\`*.ts\`, \`src/**/*.js\`).
- Binary files are passed over, and .git and node_modules unless path or glob names them.`;

const MODES = ["files_with_matches", "content", "count"] as const;
const AROUND = { type: "integer", minimum: 0, maximum: 100 };

/** Searches files for lines that match a regular expression, in time linear in their size. */
export const grepTool: Tool = {
  name: "Grep",
  description: DESCRIPTION,
  input_schema: inputSchema(
    {
      pattern: { type: "string", minLength: 1, maxLength: 2_000, description: "The regular expression." },
      path: textField("The folder or file to search; the working folder when not given."),
      glob: textField("Search only files whose name fits this glob."),
      output_mode: { enum: MODES, default: "files_with_matches", description: "What to answer with." },
      "-i": flagField("Upper and lower case are the same."),
      "-n": { type: "boolean", default: true, description: "Show line numbers, in content." },
      "-A": { ...AROUND, description: "Lines to show after each match, in content." },
      "-B": { ...AROUND, description: "Lines to show before each match, in content." },
      "-C": { ...AROUND, description: "Lines to show before and after each match, in content." },
      head_limit: {
        type: "integer",
        minimum: 0,
        maximum: MOST_LINES,
        description: `Show the first so many lines, files or counts; ${DEFAULT_LINES} when not given, 0 for all there is room for.`,
      },
    },
    ["pattern"],
  ),
  annotations: { read_only: true, idempotent: true },
  replay: "safe",
  async run(input, context) {
    await loadRegexEngine();
    const mode = MODES.find((known) => known === input.output_mode) ?? "files_with_matches";
    const wanted = optionalNumber(input, "head_limit") ?? DEFAULT_LINES;
    const limit = wanted === 0 ? MOST_LINES : Math.min(wanted, MOST_LINES);
    const around = optionalNumber(input, "-C");
    const search: LineSearch = {
      test: compileRegex(textOf(input, "pattern"), flagOf(input, "-i")),
      before: mode === "content" ? (around ?? optionalNumber(input, "-B") ?? 0) : 0,
      after: mode === "content" ? (around ?? optionalNumber(input, "-A") ?? 0) : 0,
      most: { files_with_matches: 1, content: limit + 1, count: 0 }[mode],
    };
    const found = await searchAll(input, search, mode === "content" ? limit : undefined, context);
    const files = mode === "files_with_matches" ? await newestFirst(found, context.signal) : found;
    const lines = files.flatMap((file) => {
      if (mode === "files_with_matches") return [file.name];
      if (mode === "count") return [`${file.name}:${file.count}`];
      return contentLines(file, { numbers: input["-n"] !== false, around: search.before + search.after > 0 });
    });
    const { shown, left } = capped(lines, limit, MOST_CHARACTERS);
    const rest = mode === "content" ? "more matches" : `${left} more`;
    const note = left > 0 ? `\n\n(${rest}; narrow the search or raise head_limit)` : "";
    return { content: shown.length === 0 ? "No matches found." : shown.join("\n") + note };
  },
};

/** The files with matches; stops when there are more lines than wanted. */
async function searchAll(
  input: ToolInput,
  search: LineSearch,
  wanted: number | undefined,
  context: ToolContext,
): Promise<readonly FileWithMatches[]> {
  const path = optionalText(input, "path") ?? ".";
  const { place, isFolder } = await searchRoot(path, context);
  if (!isFolder) return withMatches([await searchOne(place, search, context)]);
  const glob = optionalText(input, "glob");
  const fits = glob === undefined ? () => true : compilePathGlob(glob);
  const ignored = ignoredFolders(path, glob ?? "", place.real);
  const found: FileWithMatches[] = [];
  let batch: Place[] = [];
  const finishBatch = async (): Promise<boolean> => {
    const results = await Promise.all(batch.map((file) => searchReadable(file, search, context)));
    batch = [];
    found.push(...withMatches(results));
    return wanted !== undefined && found.reduce((sum, { lines }) => sum + lines.length, 0) > wanted;
  };
  for await (const { path: real, name } of walk(place.real, { signal: context.signal, ignored })) {
    if (!fits(name) || context.hides?.(real) === true) continue;
    batch.push({ written: name, real });
    if (batch.length >= TOGETHER && (await finishBatch())) return found;
  }
  await finishBatch();
  return found;
}

function withMatches(files: readonly FileWithMatches[]): readonly FileWithMatches[] {
  return files.filter(({ count }) => count > 0);
}

async function searchOne(place: Place, search: LineSearch, context: ToolContext): Promise<FileWithMatches> {
  const matches = await searchFile(place, search, context);
  return { path: place.real, name: relative(context.cwd, place.real), ...matches };
}

/** In a folder, a file that can't be read has no matches. */
async function searchReadable(
  place: Place,
  search: LineSearch,
  context: ToolContext,
): Promise<FileWithMatches> {
  try {
    return await searchOne(place, search, context);
  } catch {
    context.signal.throwIfAborted();
    return { path: place.real, name: place.written, count: 0, lines: [] };
  }
}

/** A file with matches; its name is the one that is shown. */
interface FileWithMatches extends FoundFile, FileMatches {}

/** Formats lines like grep: `file:12:text`, and `file-11-text` for context. */
function contentLines(
  { name, lines }: FileWithMatches,
  { numbers, around }: { readonly numbers: boolean; readonly around: boolean },
): readonly string[] {
  let last: number | undefined;
  return lines.flatMap(({ number, text, fits }) => {
    const sign = fits ? ":" : "-";
    const line = numbers ? `${name}${sign}${number}${sign}${text}` : `${name}${sign}${text}`;
    const gap = around && last !== undefined && number !== last + 1;
    last = number;
    return gap ? ["--", line] : [line];
  });
}

/** The first lines up to a number and a size, and how many are left out. */
function capped(
  lines: readonly string[],
  most: number,
  characters: number,
): { readonly shown: readonly string[]; readonly left: number } {
  const shown: string[] = [];
  let room = characters;
  for (const line of lines) {
    room -= line.length + 1;
    if (shown.length >= most || room < 0) break;
    shown.push(line);
  }
  return { shown, left: lines.length - shown.length };
}
