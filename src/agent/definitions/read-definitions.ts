import { readdir, realpath } from "node:fs/promises";
import { basename, join } from "node:path";
import { MOST_OWNER_FILES, readOwner } from "../../config/find/owned-hooks.ts";
import { errorMessage } from "../../core/base/error-text.ts";
import type { AgentDefinition } from "./definition.ts";
import { parseDefinition, type Strictness } from "./definition-file.ts";
import { builtInProblem } from "./presets.ts";

/** Where definitions are; the first wins. */
const FOLDERS: readonly { readonly folder: string; readonly strictness: Strictness }[] = [
  { folder: ".tenterhook/agents", strictness: "own" },
  { folder: ".claude/agents", strictness: "foreign" },
];

/**
 * The kinds of subagents that the files of a workspace define. A file that can't be used becomes a definition with a
 * problem, which is reported when it is requested.
 *
 * @throws the reason of the signal when that is aborted.
 */
export async function readDefinitions(
  cwd: string,
  signal?: AbortSignal,
): Promise<readonly AgentDefinition[]> {
  const files = await readDefinitionFiles(cwd, signal);
  return files.map(({ file, definition }) => {
    const { problem, warnings } = definition;
    return {
      ...definition,
      problem: problem && `${file} can't be used: ${problem}`,
      warnings: warnings?.map((warning) => `${file}: ${warning}`),
    };
  });
}

export interface DefinitionFile {
  readonly file: string;
  readonly definition: AgentDefinition;
}

/** The same, file by file. */
export async function readDefinitionFiles(
  cwd: string,
  signal?: AbortSignal,
): Promise<readonly DefinitionFile[]> {
  const found: DefinitionFile[] = [];
  for (const { folder, strictness } of FOLDERS) {
    const names = await readdir(join(cwd, folder)).catch(() => []);
    const files = names.filter((name) => name.endsWith(".md")).sort();
    const defined: DefinitionFile[] = [];
    for (const name of files.slice(0, MOST_OWNER_FILES)) {
      const file = join(cwd, folder, name);
      defined.push({ file, definition: await readDefinition(file, cwd, strictness, signal) });
    }
    found.push(...defined.map((one) => onlyOne(one, defined, folder)));
  }
  return found;
}

/** Refuses a name that two files define: one of them may allow less than the other. */
function onlyOne(one: DefinitionFile, defined: readonly DefinitionFile[], folder: string): DefinitionFile {
  const { name } = one.definition;
  if (defined.every((other) => other === one || other.definition.name !== name)) return one;
  const problem = `two files in ${folder} define ${JSON.stringify(name)}.`;
  return { file: one.file, definition: { name, description: "", problem } };
}

async function readDefinition(
  file: string,
  cwd: string,
  strictness: Strictness,
  signal: AbortSignal | undefined,
): Promise<AgentDefinition> {
  const name = basename(file, ".md");
  signal?.throwIfAborted();
  try {
    const { text, ...place } = readOwner(file);
    const { definition, hooks } = await parseDefinition(name, text, strictness);
    const problem = builtInProblem(definition.name);
    if (problem !== undefined) return { name: definition.name, description: "", problem };
    if (hooks === undefined) return definition;
    const root = await realpath(cwd);
    const own = { kind: "agent", name: definition.name, hooks, owner: "project", root, ...place } as const;
    return { ...definition, hooks: own };
  } catch (error) {
    return { name, description: "", problem: errorMessage(error) };
  }
}
