import { errorMessage } from "../../core/base/error-text.ts";
import { withoutUndefined } from "../../core/base/json.ts";
import { didYouMean, nearestName } from "../../core/base/suggest.ts";
import type { AgentDefinition } from "./definition.ts";

/** Whether a file was written for us or for another program. */
export type Strictness = "own" | "foreign";

interface Key {
  /** @throws Error that completes the sentence "the key …". */
  readonly read: (value: unknown) => Partial<AgentDefinition>;
  /** Names of the key in other programs. */
  readonly aliases?: readonly string[];
  /** It takes something away from the agent: ignoring it would give the agent more than its author meant. */
  readonly narrows?: true;
}

const KEYS: ReadonlyMap<string, Key> = new Map<string, Key>([
  ["name", { read: (value) => ({ name: stringOf(value) }) }],
  ["description", { read: (value) => ({ description: value === "" ? "" : stringOf(value) }) }],
  ["model", { read: (value) => withoutUndefined({ model: modelOf(value) }) }],
  ["tools", { read: (value) => ({ tools: namesOf(value) }), narrows: true }],
  [
    "disallowed-tools",
    {
      read: (value) => ({ disallowed_tools: plainNamesOf(value) }),
      aliases: ["disallowedTools"],
      narrows: true,
    },
  ],
  [
    "max-iterations",
    { read: (value) => ({ max_iterations: countOf(value) }), aliases: ["maxTurns"], narrows: true },
  ],
]);

/** Keys that only say how another program shows or starts an agent: ignoring them widens nothing. */
const HARMLESS = ["color", "memory", "background", "effort"];

/** Names of models that mean the model of the parent, or one we can't know. */
const INHERITED: readonly unknown[] = ["inherit", "sonnet", "opus", "haiku"];

/**
 * Reads a definition: Markdown with front matter; the text is the prompt. Hyphens, underscores, spaces and capitals of keys
 * do not count. An unknown key is an error in a file of ours. In a file of another program it is a warning, unless it looks
 * like a key that narrows.
 *
 * @throws Error that names all problems, a line each, with their places in the file.
 */
export async function parseDefinition(
  fileName: string,
  text: string,
  strictness: Strictness,
): Promise<{ readonly definition: AgentDefinition; readonly hooks: unknown }> {
  const { frontMatter } = await import("../../node/files/front-matter.ts");
  const { front, placeOf, body } = frontMatter(text);
  const warnings: string[] = [];
  const problems: string[] = [];
  const set = new Set<string>();
  let definition: AgentDefinition = { name: fileName, description: "" };
  for (const [written, value] of Object.entries(front)) {
    // Whoever knows the file reads them.
    if (written === "hooks") continue;
    const at = placeOf(written);
    const quoted = JSON.stringify(written);
    const [name, key] =
      [...KEYS].find(([known, { aliases = [] }]) => isSpelling(written, [known, ...aliases])) ?? [];
    if (name === undefined || key === undefined) {
      const problem = `${at}the key ${quoted} is not known.${didYouMean(written, [...KEYS.keys(), "hooks"])}`;
      if (strictness === "own" || nearestName(written, NARROWING) !== undefined) problems.push(problem);
      else if (!isSpelling(written, HARMLESS)) warnings.push(problem);
      continue;
    }
    if (set.has(name)) problems.push(`${at}${quoted} sets ${name} a second time.`);
    if (written !== name && key.aliases?.includes(written) !== true)
      warnings.push(`${at}${quoted} is read as ${JSON.stringify(name)}.`);
    try {
      definition = { ...definition, ...key.read(value) };
      set.add(name);
    } catch (error) {
      const part = error instanceof WrongName ? error.wrong : "";
      problems.push(`${placeOf(written, part)}${written} ${errorMessage(error)}`);
    }
  }
  if (problems.length > 0) throw new Error(problems.join("\n"));
  const prompt = body.trim();
  const rest = { ...(prompt === "" ? {} : { prompt }), ...(warnings.length === 0 ? {} : { warnings }) };
  return { definition: { ...rest, ...definition }, hooks: front.hooks ?? undefined };
}

const NARROWING = [...[...KEYS].flatMap(([name, { narrows }]) => (narrows === true ? [name] : [])), "hooks"];

function isSpelling(written: string, names: readonly string[]): boolean {
  const plain = (name: string): string => name.toLowerCase().replaceAll(/[-_ ]/g, "");
  return names.some((name) => plain(name) === plain(written));
}

function stringOf(value: unknown): string {
  if (typeof value === "string" && value.trim() !== "") return value;
  throw new Error("must be a string");
}

/**
 * The name of a model; `undefined` for the parent's. A file of the workspace must not send the conversation to a server of
 * its choice.
 *
 * @throws Error when it names a server or is not a string.
 */
function modelOf(model: unknown): string | undefined {
  if (INHERITED.includes(model)) return undefined;
  const name = stringOf(model);
  if (name.trim().toLowerCase().startsWith("openai-compatible:"))
    throw new Error("names a server; only the options of the agent may do that");
  return name;
}

/** One of several names is wrong. */
class WrongName extends Error {
  readonly wrong: string;

  constructor(wrong: string, why: string) {
    super(`takes names of tools, and ${JSON.stringify(wrong)} ${why}`);
    this.wrong = wrong;
  }
}

/** Names of tools. An empty list, or a key without a value, names none. */
function namesOf(value: unknown): readonly string[] {
  const names: unknown =
    typeof value === "string" ? value.split(",").map((name) => name.trim()) : (value ?? []);
  if (!Array.isArray(names) || !names.every((name) => typeof name === "string"))
    throw new Error("must be a list of names");
  const pattern = names.find((name) => /^\/|[\^$+\\|]|\.[*?]/.test(name));
  if (pattern !== undefined) throw new WrongName(pattern, "is a regular expression; name each tool");
  return names.filter((name) => name !== "");
}

/** Names of tools to take away. A rule or a pattern is an error: as a name it would take nothing away. */
function plainNamesOf(value: unknown): readonly string[] {
  const names = namesOf(value);
  const other = names.find((name) => /[()*?]/.test(name));
  if (other === undefined) return names;
  throw new WrongName(other, "is not one; permissions.deny takes rules and patterns");
}

function countOf(value: unknown): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 1) return value;
  throw new Error("must be a whole number of 1 or more");
}
