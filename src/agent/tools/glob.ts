import { isAbsolute, join, relative } from "node:path";
import type { Tool } from "../../core/contracts/tool.ts";
import { compileGlob, compilePathGlob } from "../../core/match/glob.ts";
import { placeInWorkspace } from "./files/workspace.ts";
import { inputSchema, optionalText, textField, textOf } from "./input.ts";
import { type FoundFile, ignoredFolders, newestFirst, searchRoot, walk } from "./search/walk.ts";

const MOST_SHOWN = 200;
const MOST_FOUND = 50_000;

const DESCRIPTION = `Finds files of the workspace by their names, the one changed last first.

- \`*\` stays inside a folder, \`**\` crosses folders, \`?\` is one character, \`[a-z]\` one of several, \`{a,b}\` alternatives.
- A pattern without a slash fits at any depth: \`*.ts\`. With a slash it starts at path: \`src/**/*.test.ts\`.
- .git and node_modules are passed over unless pattern or path names them. At most ${MOST_SHOWN} files are shown.`;

export const globTool: Tool = {
  name: "Glob",
  description: DESCRIPTION,
  input_schema: inputSchema(
    {
      pattern: textField("The glob that names must fit."),
      path: textField("The folder to look in; the working folder when not given."),
    },
    ["pattern"],
  ),
  annotations: { read_only: true, idempotent: true },
  replay: "safe",
  async run(input, context) {
    const pattern = textOf(input, "pattern");
    const path = optionalText(input, "path") ?? ".";
    const { base, fits, depth } = globSearch(pattern);
    if (path !== ".") await searchRoot(path, context);
    const root = placeInWorkspace(isAbsolute(base) ? base : join(path, base), context);
    const found: FoundFile[] = [];
    const ignored = ignoredFolders(pattern, path, root.real);
    const options = {
      signal: context.signal,
      ignored,
      links: true,
      depth,
    };
    for await (const file of walk(root.real, options)) {
      if (fits(file.name) && context.hides?.(file.path) !== true) found.push(file);
      if (found.length >= MOST_FOUND) break;
    }
    const sorted = await newestFirst(found, context.signal);
    const files = sorted.slice(0, MOST_SHOWN).map((file) => relative(context.cwd, file.path) || file.path);
    const more = found.length - files.length;
    const note = more > 0 ? `\n\n(${more} more; narrow the pattern)` : "";
    return { content: files.length === 0 ? "No files found." : files.join("\n") + note };
  },
};

const SPECIAL = /[*?[\]{}\\]/;

/** A glob split into the folder it starts from and what names below that folder must match. */
interface GlobSearch {
  /** The literal beginning of the pattern; may be empty, absolute or start with `..`. */
  readonly base: string;
  readonly fits: (name: string) => boolean;
  /** How many folders deep a match can be; absent when there is no limit. */
  readonly depth?: number;
}

/**
 * Prepares a glob for a walk. A pattern without a slash matches names at any depth.
 *
 * @throws TenterhookError `bad_pattern`.
 */
function globSearch(pattern: string): GlobSearch {
  if (!pattern.includes("/")) return { base: "", fits: compilePathGlob(pattern) };
  const parts = pattern.split("/");
  let plain = 0;
  while (plain < parts.length - 1 && !SPECIAL.test(parts[plain] ?? "")) plain += 1;
  const rest = parts.slice(plain).join("/");
  const base = parts.slice(0, plain).join("/") || (pattern.startsWith("/") ? "/" : "");
  const depth = rest.includes("**") ? {} : { depth: rest.split("/").length - 1 };
  return { base, fits: compileGlob(rest, { kind: "path" }), ...depth };
}
