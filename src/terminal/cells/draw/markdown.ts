import { lexer, type Token, type Tokens } from "marked";
import { harmless } from "../../../shared/harmless.ts";
import { columns, padded, wrapped } from "../../layout.ts";
import type { Paint } from "../../paint.ts";
import { highlighted } from "./highlight.ts";

/** Markdown as lines of a terminal. */
export function markdownLines(text: string, width: number, paint: Paint): readonly string[] {
  const lines = lexer(harmless(text)).flatMap((token) => [...blockLines(token, width, paint), ""]);
  while (lines.at(-1) === "") lines.pop();
  return lines.filter((line, at) => line !== "" || lines[at - 1] !== "");
}

function blockLines(token: Token, width: number, paint: Paint): readonly string[] {
  switch (token.type) {
    case "heading":
      return wrapped(paint.bold(inline(token.tokens, paint) || token.text), width).split("\n");
    case "code":
      return highlighted(token.text, token.lang ?? "", paint)
        .split("\n")
        .map((line) => `  ${line}`);
    case "blockquote":
      return blocksOf(token.tokens, width - 2, paint).map((line) => `${paint.dim("│")} ${line}`);
    case "list":
      return listLines(token, width, paint);
    case "table":
      return tableLines(token, width, paint);
    case "hr":
      return [paint.dim("─".repeat(Math.min(width, 40)))];
    case "space":
    case "def":
      return [];
    default:
      return wrapped(inlineOf(token, paint), width).split("\n");
  }
}

function blocksOf(tokens: readonly Token[] = [], width: number, paint: Paint): readonly string[] {
  return tokens.flatMap((token) => blockLines(token, width, paint));
}

function listLines(list: Token, width: number, paint: Paint): readonly string[] {
  if (!isList(list)) return [];
  const { ordered, start, items } = list;
  return items.flatMap((item, at) => {
    const mark = ordered ? `${Number(start || 1) + at}. ` : "- ";
    const box = item.task ? (item.checked === true ? "✓ " : "· ") : "";
    const indent = " ".repeat(mark.length);
    const lines = blocksOf(item.tokens, width - mark.length, paint);
    return lines.map((line, index) => `${index === 0 ? `${mark}${box}` : indent}${line}`);
  });
}

function isList(token: Token): token is Tokens.List {
  return token.type === "list";
}

/** Columns between two cells, and the fewest that a text is readable in. */
const GAP = 2;
const NARROWEST = 20;

/** The last column takes the room that the others leave; where that is too little, a row has lines of its own. */
function tableLines(table: Token, width: number, paint: Paint): readonly string[] {
  if (!isTable(table)) return [];
  const rows = [table.header, ...table.rows].map((row) => row.map((cell) => inline(cell.tokens, paint)));
  const widths = table.header.map((_, at) => Math.max(...rows.map((row) => columns(row[at] ?? ""))));
  const last = widths.length - 1;
  const before = widths.slice(0, last).reduce((sum, wide) => sum + wide + GAP, 0);
  const room = width - before;
  if (room < Math.min(NARROWEST, widths[last] ?? 0))
    return rows.slice(1).flatMap((row) => listed(rows[0] ?? [], row, width, paint));
  const lines = rows.map((row) => {
    const start = row.slice(0, last).map((cell, at) => padded(cell, (widths[at] ?? 0) + GAP));
    const [first = "", ...rest] = wrapped(row[last] ?? "", room).split("\n");
    return [`${start.join("")}${first}`.trimEnd(), ...rest.map((line) => " ".repeat(before) + line)];
  });
  return [...(lines[0] ?? []).map(paint.bold), ...lines.slice(1).flat()];
}

function listed(
  [, ...titles]: readonly string[],
  [first = "", ...rest]: readonly string[],
  width: number,
  paint: Paint,
): readonly string[] {
  const isOne = rest.length === 1;
  const shown = rest.flatMap((cell, at) => {
    const title = isOne || titles[at] === "" ? "" : `${titles[at]}: `;
    return cell === "" ? [] : [`${title}${cell}`];
  });
  return [
    ...wrapped(paint.bold(first), width).split("\n"),
    ...shown.flatMap((cell) => wrapped(cell, width, "  ").split("\n")),
  ];
}

function isTable(token: Token): token is Tokens.Table {
  return token.type === "table";
}

function inline(tokens: readonly Token[] = [], paint: Paint): string {
  return tokens.map((token) => inlineOf(token, paint)).join("");
}

function inlineOf(token: Token, paint: Paint): string {
  const inner = "tokens" in token && token.tokens !== undefined ? inline(token.tokens, paint) : undefined;
  switch (token.type) {
    case "strong":
      return paint.bold(inner ?? token.raw);
    case "em":
      return inner ?? token.raw;
    case "codespan":
      return paint.cyan(token.text);
    case "link":
      return inner === token.href ? token.href : `${inner ?? ""} (${token.href})`;
    case "br":
      return "\n";
    case "escape":
      return token.text;
    default:
      return inner ?? unescaped(token.raw);
  }
}

/** What marked leaves as it was written. */
function unescaped(raw: string): string {
  return raw.replace(/\n$/, "");
}
