import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { isAborted } from "../../core/cancellation.ts";
import { errorMessage } from "../../core/error-text.ts";
import type { AgentDefinition } from "./definition.ts";
import { type DefinitionKey, readKeys, type Strictness } from "./definition-keys.ts";
import { definitionText } from "./definition-text.ts";
import { frontMatter } from "./front-matter.ts";

/** Where definitions are, the first wins. */
const FOLDERS: readonly { readonly folder: string; readonly strictness: Strictness }[] = [
  { folder: ".tenterhook/agents", strictness: "own" },
  { folder: ".claude/agents", strictness: "foreign" },
];

const MOST_FILES = 200;

/** Names other programs have for the model of the parent, or for one we can't know. */
const INHERITED: readonly unknown[] = ["inherit", "sonnet", "opus", "haiku"];

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
      await definitionText(file, signal),
      strictness,
    );
    return warnings.length === 0
      ? definition
      : { ...definition, warnings: warnings.map((warning) => `${file}: ${warning}`) };
  } catch (error) {
    if (signal !== undefined && isAborted(signal)) throw error;
    return { name, description: "", problem: `${file} can't be used: ${errorMessage(error)}` };
  }
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
  const given = (key: DefinitionKey): unknown => fields.get(key);
  const { name = fileName, description = "" } = { name: given("name"), description: given("description") };
  if (typeof name !== "string" || name === "") throw new Error("name must be a text");
  if (typeof description !== "string") throw new Error("description must be a text");
  const model = given("model");
  const prompt = body.trim();
  return {
    name,
    description,
    ...(prompt === "" ? {} : { prompt }),
    ...(model === undefined || INHERITED.includes(model) ? {} : { model: modelOf(model) }),
    ...(fields.has("tools") ? { tools: namesOf(given("tools"), "tools") } : {}),
    ...(fields.has("disallowed-tools")
      ? { disallowed_tools: namesOf(given("disallowed-tools"), "disallowed-tools") }
      : {}),
    ...(fields.has("max-iterations") ? { max_iterations: countOf(given("max-iterations")) } : {}),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

/** A file of the workspace must not send the conversation to a server of its choice. */
function modelOf(model: unknown): string {
  if (typeof model !== "string" || model.trim() === "") throw new Error("model must be a text");
  if (model.trim().toLowerCase().startsWith("openai-compatible:"))
    throw new Error("model names a server; only the options of the agent may do that");
  return model;
}

/** A list that is empty, or not there at all behind its key, names nothing. */
function namesOf(value: unknown, key: string): readonly string[] {
  const names: unknown =
    typeof value === "string" ? value.split(",").map((name) => name.trim()) : (value ?? []);
  if (!Array.isArray(names) || !names.every((name) => typeof name === "string"))
    throw new Error(`${key} must be a list of names`);
  return names.filter((name) => name !== "");
}

function countOf(value: unknown): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 1) return value;
  throw new Error("max-iterations must be a whole number of 1 or more");
}
