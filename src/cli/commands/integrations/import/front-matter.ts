import { basename, dirname } from "node:path";
import type { ForeignHooks } from "../../../../adapters/integration.ts";
import { parseText } from "../../../../config/parse/parse.ts";
import { isRecord } from "../../../../core/base/json.ts";

/** YAML between two lines of dashes at the start of a file. */
const FRONT_MATTER = /^(?:\uFEFF)?---[ \t]*\r?\n([\s\S]*?\n)---[ \t]*(?:\r?\n|$)/;

type Found = Required<Pick<ForeignHooks, "hooks" | "owner">>;

/** The hooks of an agent, skill or command; `undefined` when it has none, an error when it can't be read. */
export function frontMatter(file: string, text: string): Found | Error | undefined {
  const block = FRONT_MATTER.exec(text)?.[1];
  if (block === undefined || !/^hooks:/m.test(block)) return undefined;
  try {
    const { value } = parseText(`${file}.yaml`, block);
    if (!isRecord(value)) return undefined;
    const { hooks, name } = value;
    return { hooks, owner: ownerOf(file, typeof name === "string" ? name : undefined) };
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function ownerOf(file: string, name: string | undefined): Found["owner"] {
  const stem = basename(file).replace(/\.md$/i, "");
  if (stem === "SKILL") return { kind: "skill", name: name ?? basename(dirname(file)) };
  const kind = /[\\/]commands[\\/]/.test(file) ? "command" : "agent";
  return { kind, name: (kind === "agent" ? name : undefined) ?? stem };
}

export function withoutHooks(text: string): string {
  const block = FRONT_MATTER.exec(text)?.[1];
  if (block === undefined) return text;
  const at = text.indexOf(block);
  const lines = block.split(/(?<=\n)/);
  const start = lines.findIndex((line) => /^hooks:/.test(line));
  const rest = lines.slice(start + 1).findIndex((line) => /^[^\s#-]/.test(line));
  const end = rest === -1 ? lines.length : start + 1 + rest;
  return start === -1
    ? text
    : text.slice(0, at) +
        [...lines.slice(0, start), ...lines.slice(end)].join("") +
        text.slice(at + block.length);
}
