import { posix } from "node:path";
import { ARCHITECTURE, type Arrow, ENTRY_FILES, type Row } from "../architecture-table.ts";
import { COMPUTED, type Import, importsOf } from "./imports.ts";
import { tokens } from "./tokens.ts";

/** Source by path; the paths begin with `src/`. */
export type Sources = ReadonlyMap<string, string>;

const NODE_GLOBALS = new Set(["process", "Buffer", "require", "module", "__dirname", "__filename", "global"]);

/** Says what the architecture does not allow, one sentence for each place. */
export function violations(sources: Sources): readonly string[] {
  return [...sources].flatMap(([file, source]) => {
    const folder = folderOf(file);
    const row = ARCHITECTURE[folder];
    if (row === undefined) return [`${file}: the architecture table has no folder ${folder}.`];
    const arrows = importsOf(source).flatMap((found) => {
      const problem = judge(file, folder, row, found);
      return problem === undefined ? [] : [`${file}:${found.line} imports ${found.from}: ${problem}`];
    });
    return row.pure ? [...arrows, ...globals(file, folder, source)] : arrows;
  });
}

function judge(file: string, folder: string, row: Row, found: Import): string | undefined {
  if (found.from === COMPUTED) {
    const loads = row.loadModules?.some((name) => file === `src/${folder}/${name}`) === true;
    return loads ? undefined : "nobody can read where it goes.";
  }
  if (!found.from.startsWith("."))
    return row.pure ? `${folder} imports neither Node's modules nor packages.` : undefined;
  const target = posix.join(posix.dirname(file), found.from);
  if (!target.startsWith("src/")) return "it is outside src.";

  const to = folderOf(target);
  if (to === folder) return inOrder(file, target, row) ?? sameFolder(file, target, row);
  if (row.mayImport === "everything") return undefined;
  if (row.mayImport === "every folder but cli")
    return to === "cli" ? "entry files import every folder but cli." : undefined;
  const arrows = row.mayImport.filter((candidate) => candidate.to === to);
  if (arrows.length === 0) return `there is no arrow from ${folder} to ${to}.`;
  const problems = arrows.map((arrow) => alongArrow(arrow, target, folder, found));
  return problems.includes(undefined) ? undefined : problems.at(-1);
}

function inOrder(file: string, target: string, { order }: Row): string | undefined {
  if (order === undefined) return undefined;
  const [from = "", to = ""] = [file, target].map((path) => path.split("/")[2]);
  if (from === to) return undefined;
  for (const part of [from, to]) if (!order.includes(part)) return `the order of parts has no ${part}.`;
  return order.indexOf(to) < order.indexOf(from) ? undefined : `${to} comes after ${from}.`;
}

function sameFolder(file: string, target: string, row: Row): string | undefined {
  const part = partOf(file);
  const other = partOf(target);
  if (row.sharedParts === undefined || other === undefined || part === other) return undefined;
  if (row.sharedParts.includes(other) || row.listsOfParts?.includes(file.split("/")[2] ?? ""))
    return undefined;
  return `${part ?? "what parts share"} does not know ${other}.`;
}

function alongArrow({ to, files, typesOnly }: Arrow, target: string, folder: string, found: Import) {
  const name = to === ENTRY_FILES ? posix.basename(target) : target.slice(`src/${to}/`.length);
  const listed = files?.filter((file) => (file.endsWith("/") ? name.startsWith(file) : name === file));
  if (files !== undefined && listed?.length === 0)
    return `${folder} may import only ${files.join(", ")} of ${to}.`;
  if (typesOnly && !found.typeOnly) return `${folder} may import only types of ${to}.`;
  return undefined;
}

function globals(file: string, folder: string, source: string): readonly string[] {
  const code = tokens(source).filter(({ kind }) => kind !== "comment");
  return code.flatMap(({ kind, text, line }, index) => {
    if (kind !== "word" || !NODE_GLOBALS.has(text)) return [];
    const isField = code[index - 1]?.text === "." && code[index - 2]?.text !== "globalThis";
    const isKey = code[index + 1]?.text === ":" || code[index + 1]?.text === "?";
    return isField || isKey ? [] : [`${file}:${line} uses ${text}: ${folder} has no globals of Node.`];
  });
}

function folderOf(file: string): string {
  const [, first = "", ...rest] = file.split("/");
  return rest.length === 0 ? ENTRY_FILES : first;
}

function partOf(file: string): string | undefined {
  const [, , part, ...rest] = file.split("/");
  return rest.length === 0 ? undefined : part;
}
