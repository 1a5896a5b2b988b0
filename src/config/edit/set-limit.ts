import { extname } from "node:path";
import { isMap, isScalar, parseDocument } from "yaml";
import { columnOf, endLine } from "./flow-list.ts";
import { setJson } from "./set-json.ts";

/**
 * The text of a configuration file with one of `hooks.limits` set; `undefined` for TOML that has limits in another form
 * than a table of their own, which can't be edited in place. Comments stay as they are written.
 */
export function setLimit(file: string, text: string, name: string, value: number): string | undefined {
  const suffix = extname(file).toLowerCase();
  if (suffix === ".json" || suffix === ".jsonc") return setJson(text, ["hooks", "limits", name], value);
  if (suffix !== ".toml") return setInYaml(text, name, value);
  const table = /^\[hooks\.limits\][ \t]*(?:#.*)?\n((?:(?!\s*\[).*\n?)*)/m.exec(text);
  if (table !== null) return setInToml(text, table, name, value);
  if (/^\s*\[?hooks\.limits\b|^\s*limits\b/m.test(text)) return undefined;
  const before = endLine(text);
  return `${before}${before === "" ? "" : "\n"}[hooks.limits]\n${name} = ${value}\n`;
}

function setInToml(text: string, table: RegExpExecArray, name: string, value: number): string {
  const [whole, lines = ""] = table;
  const at = table.index + whole.length - lines.length;
  const known = new RegExp(`^(\\s*${name}\\s*=\\s*)[\\d_.]+`, "m");
  const after = known.test(lines) ? lines.replace(known, `$1${value}`) : `${name} = ${value}\n${lines}`;
  return text.slice(0, at) + after + text.slice(at + lines.length);
}

function setInYaml(text: string, name: string, value: number): string {
  const document = parseDocument(text, { logLevel: "silent" });
  const hooks = document.get("hooks");
  if (!document.has("hooks")) return `${endLine(text)}hooks:\n  limits:\n    ${name}: ${value}\n`;
  const line = /^hooks:[ \t]*(?:#.*)?$/m.exec(text);
  const first = isMap(hooks) && hooks.flow !== true && !hooks.has("limits") ? hooks.items[0]?.key : undefined;
  if (line !== null && isScalar(first) && first.range) {
    const at = line.index + line[0].length;
    const indent = " ".repeat(columnOf(text, first.range[0]));
    return `${text.slice(0, at)}\n${indent}limits:\n${indent}${indent}${name}: ${value}${text.slice(at)}`;
  }
  document.setIn(["hooks", "limits", name], value);
  return document.toString({ lineWidth: 0 });
}
