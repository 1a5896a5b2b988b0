import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { errorMessage } from "../../core/base/error-text.ts";
import { withoutUndefined } from "../../core/base/json.ts";
import { firstBytes } from "../../node/files/first-bytes.ts";
import type { AgentDefinition } from "./definition.ts";
import { parseDefinition, type Strictness } from "./definition-file.ts";

/** Where definitions are; the first wins. */
const FOLDERS: readonly { readonly folder: string; readonly strictness: Strictness }[] = [
  { folder: ".tenterhook/agents", strictness: "own" },
  { folder: ".claude/agents", strictness: "foreign" },
];

const MOST_FILES = 200;
const MOST_BYTES = 200_000;

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
  const found: AgentDefinition[] = [];
  for (const { folder, strictness } of FOLDERS) {
    const names = await readdir(join(cwd, folder)).catch(() => []);
    const files = names.filter((name) => name.endsWith(".md")).sort();
    const defined: AgentDefinition[] = [];
    for (const name of files.slice(0, MOST_FILES))
      defined.push(await readDefinition(join(cwd, folder, name), strictness, signal));
    found.push(...defined.map((definition) => onlyOne(definition, defined, folder)));
  }
  return found;
}

/** Refuses a name that two files define: one of them may allow less than the other. */
function onlyOne(
  definition: AgentDefinition,
  defined: readonly AgentDefinition[],
  folder: string,
): AgentDefinition {
  const { name } = definition;
  if (defined.every((other) => other === definition || other.name !== name)) return definition;
  return { name, description: "", problem: `Two files in ${folder} define ${JSON.stringify(name)}.` };
}

async function readDefinition(
  file: string,
  strictness: Strictness,
  signal: AbortSignal | undefined,
): Promise<AgentDefinition> {
  const name = basename(file, ".md");
  try {
    const definition = await parseDefinition(name, await textOfFile(file, signal), strictness);
    const warnings = definition.warnings?.map((warning) => `${file}: ${warning}`);
    return { ...definition, ...withoutUndefined({ warnings }) };
  } catch (error) {
    if (signal?.aborted === true) throw error;
    return { name, description: "", problem: `${file} can't be used: ${errorMessage(error)}` };
  }
}

async function textOfFile(file: string, signal: AbortSignal | undefined): Promise<string> {
  const { bytes, size } = await firstBytes(file, MOST_BYTES, signal);
  if (size > MOST_BYTES) throw new Error(`it has more than ${MOST_BYTES} bytes`);
  return bytes.toString("utf8");
}
