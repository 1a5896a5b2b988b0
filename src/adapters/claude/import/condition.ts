type Fields = Readonly<Record<string, unknown>>;

/** The condition of a hook (`if`), which is written as a permission rule. */
export interface ImportedCondition {
  /** The tool it names; a glob for tools of MCP servers. */
  readonly tool: string;
  /** What it says about the call, as fields of our matcher. */
  readonly fields: Fields;
  /** Why it is wider here; follows "its condition …". */
  readonly wider?: string;
}

const RULE = /^([A-Za-z][\w-]*\*?)(?:\((.*)\))?$/s;
const FILE_TOOLS: ReadonlySet<string> = new Set([
  "Read",
  "Edit",
  "Write",
  "NotebookEdit",
  "Glob",
  "Grep",
  "LS",
]);

/**
 * Converts a condition; `undefined` when it can't be read. Claude Code compares the tool's name exactly. It compares
 * the pattern for a shell with each command of a line, and a line it can't read holds every condition: so does
 * `command_patterns`, which also sees the command behind `sudo` and the like.
 */
export function importCondition(given: unknown): ImportedCondition | undefined {
  const [, name, inside = ""] = RULE.exec(typeof given === "string" ? given.trim() : "") ?? [];
  if (name === undefined) return undefined;
  const tool = /^mcp__(?:(?!__)[\w-])+$/.test(name) ? `${name}__*` : name;
  const specifier = inside.trim();
  if (specifier === "" || specifier === "*") return { tool, fields: {} };
  if (tool === "Bash" || tool === "PowerShell")
    return { tool, fields: { command_patterns: commandPatterns(specifier) } };
  if (FILE_TOOLS.has(tool)) return { tool, fields: { path_patterns: pathPatterns(specifier) } };
  const domain = /^domain:\s*((?:\*\.)?[\w.-]+)$/.exec(specifier)?.[1];
  if (tool === "WebFetch" && domain !== undefined) return { tool, fields: { domains: [domain] } };
  return { tool, fields: {}, wider: `is read as ${tool} alone` };
}

/** `git push:*` and `git push *` are the command alone and with anything behind it. */
function commandPatterns(specifier: string): readonly string[] {
  const body = specifier.replace(/(?::| +)\*$/, "");
  const glob = body.replaceAll(/[?[\]{}\\]/g, "\\$&");
  return body === specifier ? [glob] : [glob, `${glob} *`];
}

/**
 * Patterns are those of .gitignore: a folder means everything in it. `//` starts at the root, `/` in the project, which
 * our patterns do not know: they look for it at any depth.
 */
function pathPatterns(specifier: string): readonly string[] {
  const path = specifier.startsWith("//")
    ? specifier.slice(1)
    : specifier.replace(/^\//, "**/").replace(/^\.\//, "");
  const folder = path.replace(/\/$/, "");
  if (folder.endsWith("/**")) return [folder];
  const inside = folder.includes("/") ? `${folder}/**` : `**/${folder}/**`;
  return path === folder ? [path, inside] : [inside];
}
