import { isAbsolute, join, relative } from "node:path";
import type { Tool } from "../core/contracts/tool.ts";
import { placeInWorkspace } from "./files/workspace.ts";
import { inputSchema, optionalText, textOf } from "./input.ts";
import { newestFirst } from "./search/by-time.ts";
import { globSearch } from "./search/glob-base.ts";
import { searchRoot } from "./search/search-root.ts";
import { type FoundFile, ignoredFolders, walk } from "./search/walk.ts";

const MOST_SHOWN = 200;
const MOST_FOUND = 50_000;

const DESCRIPTION = `Finds files of the workspace by their names, the one changed last first.

- \`*\` stays inside a folder, \`**\` crosses folders, \`?\` is one character, \`[a-z]\` one of several, \`{a,b}\` alternatives.
- A pattern without a slash fits at any depth: \`*.ts\`. With a slash it starts at path: \`src/**/*.test.ts\`.
- .git and node_modules are passed over unless pattern or path names them. At most ${MOST_SHOWN} files are shown.`;

/** Finds files by name. */
export const globTool: Tool = {
  name: "Glob",
  description: DESCRIPTION,
  input_schema: inputSchema(
    {
      pattern: { type: "string", minLength: 1, description: "The glob that names must fit." },
      path: {
        type: "string",
        minLength: 1,
        description: "The folder to look in; the working folder when not given.",
      },
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
      ...(depth === undefined ? {} : { depth }),
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
