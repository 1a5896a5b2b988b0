import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { errorMessage } from "../../core/error-text.ts";
import { isRecord } from "../../core/json.ts";
import type { AgentDefinition } from "./definition.ts";

/** Where definitions are, the first wins. */
const FOLDERS = [".tenterhook/agents", ".claude/agents"];

const LARGEST = 200_000;
const MOST_FILES = 200;

/** Names other programs have for the model of the parent, or for one we can't know. */
const INHERITED: readonly unknown[] = ["inherit", "sonnet", "opus", "haiku"];

/**
 * The kinds of subagents that the files of a workspace define: Markdown with front matter, the text is the prompt. A file
 * that can't be used is a definition with a problem, so that whoever asks for it hears why.
 */
export async function readDefinitions(cwd: string): Promise<readonly AgentDefinition[]> {
  const found: AgentDefinition[] = [];
  for (const folder of FOLDERS) {
    const names = await readdir(join(cwd, folder)).catch(() => []);
    const files = names.filter((name) => name.endsWith(".md")).sort();
    for (const name of files.slice(0, MOST_FILES)) found.push(await readDefinition(join(cwd, folder, name)));
  }
  return found;
}

async function readDefinition(file: string): Promise<AgentDefinition> {
  const name = basename(file, ".md");
  try {
    const { size } = await stat(file);
    if (size > LARGEST) throw new Error(`it has more than ${LARGEST} bytes`);
    return await parseDefinition(name, await readFile(file, "utf8"));
  } catch (error) {
    return { name, description: "", problem: `${file} can't be used: ${errorMessage(error)}` };
  }
}

/**
 * Reads one definition.
 *
 * @throws Error that says what is wrong with it.
 */
async function parseDefinition(fileName: string, text: string): Promise<AgentDefinition> {
  const [, front, body = ""] =
    /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n([\s\S]*))?$/.exec(text) ?? [];
  if (front === undefined) throw new Error("it does not begin with front matter between two lines of ---");
  const { parse } = await import("yaml");
  const fields: unknown = parse(front);
  if (!isRecord(fields)) throw new Error("its front matter has no keys");
  const { name = fileName, description = "", model } = fields;
  if (typeof name !== "string" || name === "") throw new Error("name must be a text");
  if (typeof description !== "string") throw new Error("description must be a text");
  const tools = namesOf(fields.tools, "tools");
  const disallowed_tools = namesOf(fields["disallowed-tools"] ?? fields.disallowedTools, "disallowed-tools");
  const max_iterations = countOf(fields["max-iterations"] ?? fields.maxTurns);
  const prompt = body.trim();
  return {
    name,
    description,
    ...(prompt === "" ? {} : { prompt }),
    ...(model === undefined || INHERITED.includes(model) ? {} : { model: modelOf(model) }),
    ...(tools === undefined ? {} : { tools }),
    ...(disallowed_tools === undefined ? {} : { disallowed_tools }),
    ...(max_iterations === undefined ? {} : { max_iterations }),
  };
}

/** A file of the workspace must not send the conversation to a server of its choice. */
function modelOf(model: unknown): string {
  if (typeof model !== "string" || model === "") throw new Error("model must be a text");
  if (model.startsWith("openai-compatible:"))
    throw new Error("model names a server; only the options of the agent may do that");
  return model;
}

function namesOf(value: unknown, key: string): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  const names: unknown = typeof value === "string" ? value.split(",").map((name) => name.trim()) : value;
  if (!Array.isArray(names) || !names.every((name) => typeof name === "string"))
    throw new Error(`${key} must be a list of names`);
  return names.filter((name) => name !== "");
}

function countOf(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "number" && Number.isInteger(value) && value >= 1) return value;
  throw new Error("max-iterations must be a whole number of 1 or more");
}
