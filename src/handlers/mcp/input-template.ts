import { TenterhookError } from "../../core/base/errors.ts";
import { isRecord } from "../../core/base/json.ts";
import { formatFieldPath, scanFieldPath } from "../../rules/fields/field-path.ts";
import { compileField, type Field } from "../../rules/fields/fields.ts";
import type { JudgedEvent } from "../../rules/fields/judged-event.ts";

export type InputTemplate = (subject: JudgedEvent) => Readonly<Record<string, unknown>>;

type Fill = (subject: JudgedEvent) => unknown;

/**
 * Compiles an input with placeholders: `${tool_input.file_path}`, and the short names of rules. A text that is one
 * placeholder and nothing else becomes the field with its type; inside other text a field is rendered, objects as JSON.
 * A field that the event does not have is an empty text. `$${` is a plain `${`.
 *
 * @throws TenterhookError `invalid_option` for an input that is no object, `bad_rule` for an invalid placeholder.
 */
export function compileInput(input: unknown): InputTemplate {
  if (input === undefined) return () => ({});
  if (!isRecord(input)) throw new TenterhookError("invalid_option", "input must be an object.");
  const fields = Object.entries(input).map(([name, value]) => [name, compileValue(value)] as const);
  return (subject) => Object.fromEntries(fields.map(([name, fill]) => [name, fill(subject)]));
}

function compileValue(value: unknown): Fill {
  if (typeof value === "string") return compileText(value);
  if (Array.isArray(value)) {
    const items = value.map(compileValue);
    return (subject) => items.map((fill) => fill(subject));
  }
  return isRecord(value) ? compileInput(value) : () => value;
}

function compileText(text: string): Fill {
  const parts = partsOf(text);
  const [only] = parts;
  if (parts.length === 1 && only !== undefined && typeof only !== "string")
    return (subject) => only.value(subject) ?? "";
  return (subject) =>
    parts.map((part) => (typeof part === "string" ? part : rendered(part.value(subject)))).join("");
}

function partsOf(text: string): readonly (string | Field)[] {
  const parts: (string | Field)[] = [];
  let at = 0;
  for (let open = text.indexOf("${"); open !== -1; open = text.indexOf("${", at)) {
    if (text[open - 1] === "$" && open > at) {
      parts.push(`${text.slice(at, open - 1)}\${`);
      at = open + 2;
      continue;
    }
    const scanned = scanFieldPath(text, open + 2);
    if (scanned === undefined || text[scanned.end] !== "}") throw unreadable(text, open);
    if (open > at) parts.push(text.slice(at, open));
    parts.push(compileField(formatFieldPath(scanned.path)));
    at = scanned.end + 1;
  }
  if (at < text.length) parts.push(text.slice(at));
  return parts;
}

function rendered(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function unreadable(text: string, at: number): TenterhookError {
  const near = JSON.stringify(text.slice(at, at + 40));
  return new TenterhookError(
    "bad_rule",
    `In input: ${near} is no placeholder; expected a field in braces, such as \${tool_input.command}.`,
    { hint: "Write $${ for a plain ${." },
  );
}
