import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { errorMessage } from "../../core/base/error-text.ts";
import { firstBytes } from "../../node/files/first-bytes.ts";
import type { AgentDefinition } from "./definition.ts";
import { type DefinitionKey, readKeys, type Strictness } from "./definition-keys.ts";
import { countOf, modelOf, namesOf, plainNamesOf, textOf } from "./definition-values.ts";
import { frontMatter } from "./front-matter.ts";

/** Where definitions are, the first wins. */
const FOLDERS: readonly { readonly folder: string; readonly strictness: Strictness }[] = [
  { folder: ".tenterhook/agents", strictness: "own" },
  { folder: ".claude/agents", strictness: "foreign" },
];

const MOST_FILES = 200;
const MOST_BYTES = 200_000;

/**
 * The kinds of subagents that the files of a workspace define: Markdown with front matter, the text is the prompt. A file
 * that can't be used is a definition with a problem, so that whoever asks for it hears why.
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

/** Of two with one name nobody knows which is meant, and one may have less than the other. */
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
    const { warnings = [], ...definition } = await parseDefinition(
      name,
      await textOfFile(file, signal),
      strictness,
    );
    return warnings.length === 0
      ? definition
      : { ...definition, warnings: warnings.map((warning) => `${file}: ${warning}`) };
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

/**
 * Reads one definition.
 *
 * @throws Error that says what is wrong with it.
 */
async function parseDefinition(
  fileName: string,
  text: string,
  strictness: Strictness,
): Promise<AgentDefinition> {
  const { front, lineOf, body } = await frontMatter(text);
  const { fields, warnings } = readKeys(front, strictness, lineOf);
  /** What a key says, read so; a problem is told with its line. */
  const given = <Read>(key: DefinitionKey, read: (value: unknown) => Read): Read | undefined => {
    const field = fields.get(key);
    try {
      return field === undefined ? undefined : read(field.value);
    } catch (error) {
      throw new Error(`${field?.at}${key} ${errorMessage(error)}`, { cause: error });
    }
  };
  const name = given("name", textOf) ?? fileName;
  const description = given("description", (value) => (value === "" ? "" : textOf(value))) ?? "";
  const model = given("model", modelOf);
  const tools = given("tools", namesOf);
  const disallowed_tools = given("disallowed-tools", plainNamesOf);
  const max_iterations = given("max-iterations", countOf);
  const prompt = body.trim();
  return {
    name,
    description,
    ...(prompt === "" ? {} : { prompt }),
    ...(model === undefined ? {} : { model }),
    ...(tools === undefined ? {} : { tools }),
    ...(disallowed_tools === undefined ? {} : { disallowed_tools }),
    ...(max_iterations === undefined ? {} : { max_iterations }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}
