import { parse, TomlDate, TomlError } from "smol-toml";
import {
  FORBIDDEN_KEY,
  forbiddenKey,
  type Located,
  NOT_FINITE,
  type ParsedFile,
  syntaxError,
  tooDeepError,
} from "./located.ts";
import { DEEPEST } from "./nesting.ts";
import { tomlPositions } from "./toml-positions.ts";

/**
 * Reads TOML 1.0. Dates become their text, as they are in the other formats.
 *
 * @throws ConfigError `config_syntax` at the first thing that can't be read.
 */
export function parseToml(file: string, text: string): ParsedFile {
  const table = parsed(file, text);
  const located = tomlPositions(text);
  return { file, value: plain(table, located, file), located };
}

function parsed(file: string, text: string): unknown {
  try {
    return parse(text, { maxDepth: DEEPEST });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [reason = ""] = error.message.replace(/^Invalid TOML document: /, "").split("\n");
    throw syntaxError(file, { line: error.line, column: error.column }, capitalised(reason));
  }
}

function plain(value: unknown, located: Located | undefined, file: string, depth = 0): unknown {
  if (depth > DEEPEST) throw tooDeepError(file, located?.key ?? { line: 1, column: 1 });
  if (value instanceof TomlDate) return value.toISOString();
  if (typeof value === "number" && !Number.isFinite(value))
    throw syntaxError(file, located?.value ?? { line: 1, column: 1 }, NOT_FINITE);
  if (Array.isArray(value))
    return value.map((item, index) => plain(item, located?.inside.get(index), file, depth + 1));
  if (typeof value !== "object" || value === null) return value;
  const object: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const where = located?.inside.get(key);
    if (key === FORBIDDEN_KEY) throw forbiddenKey(file, where?.key ?? { line: 1, column: 1 });
    object[key] = plain(item, where, file, depth + 1);
  }
  return object;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
