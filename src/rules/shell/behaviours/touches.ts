import { pathOfAddress } from "../../../core/match/tool-inputs.ts";
import type { ParsedOptions, ShellReach } from "../analysis.ts";
import type { CodeFindings } from "../code/read-code.ts";
import { namedSecrets } from "../judge/secret-names.ts";
import { unwrap } from "../programs/inner-commands.ts";
import type { AddTouch, Invocation, Role, Touches } from "../programs/program-row.ts";
import type { Program, Roles } from "../programs/programs.ts";
import { excluded, reach } from "../programs/row-parts.ts";
import { deviceHost, hostOf, remoteHost } from "../words/hosts.ts";
import { joinPath } from "../words/paths.ts";
import { shown } from "../words/text.ts";

export const NOTHING: Touches = emptyTouches();

function emptyTouches(): Touches {
  return { reads: [], uses: [], writes: [], deletes: [], moves: [], connects: [], uploads: [] };
}

/** What a command touches, by the row of its program. */
export function touchesOf(
  program: Program,
  {
    parsed,
    redirections,
    folder,
    words,
    stdin,
  }: Pick<Invocation, "parsed" | "redirections" | "folder" | "words" | "stdin">,
): Touches {
  const { roles } = program;
  const files = program.database === "sql" ? sqlFiles(parsed, stdin.text) : [];
  const secrets = roles === undefined && !saysNamesOnly(program, words) ? namedSecrets(words) : [];
  if (roles === undefined && files.length + secrets.length + redirections.list.length === 0) return NOTHING;
  const touches = emptyTouches();
  const add: AddTouch = (role, value) => addTouch(touches, role, value, folder);
  if (roles !== undefined) {
    readRoles(roles, parsed, add);
    roles.more?.(parsed, add, touches);
  }
  for (const path of secrets) add("r", path);
  for (const [role, path] of files) add(role, path);
  const { uploads } = touches;
  for (let at = 0; at < uploads.length; at += 1) uploads[at] = joinPath(folder, uploads[at] ?? "");
  for (const path of redirections.reads) add("r", path);
  for (const path of redirections.writes) add("w", path);
  return redirections.list.length === 0 && Object.values(touches).every((list) => list.length === 0)
    ? NOTHING
    : touches;
}

/** True when the command only says or uses the names of files, or passes them to a command that is listed itself. */
function saysNamesOnly(program: Program, words: readonly string[]): boolean {
  return program.is.has("namesOnly") || unwrap(program, words) !== undefined;
}

function addTouch(touches: Touches, role: Role, value: string, folder: string): void {
  if (value === "" || value === "-" || value.startsWith("\uE000<(") || value.startsWith("\uE000>(")) return;
  const address = value.slice(0, 5).toLowerCase() === "file:" ? pathOfAddress(value) : undefined;
  if (role === "a" && address !== undefined) {
    touches.reads.push(joinPath(folder, address));
    return;
  }
  const host =
    role === "h" || role === "a"
      ? hostOf(value)
      : role === "p" || role === "q"
        ? remoteHost(value)
        : deviceHost(value);
  if (host !== undefined) {
    touches.connects.push(host);
    return;
  }
  if (role === "-" || role === "h" || role === "a") return;
  if (value.length < 3 && /^(?:\d|&\d)$/.test(value)) return;
  const path = joinPath(folder, address ?? value);
  LISTS[role](touches).push(path);
}

const LISTS: Readonly<Record<Exclude<Role, "-" | "h" | "a">, (touches: Touches) => string[]>> = {
  r: (touches) => touches.reads,
  u: (touches) => touches.uses,
  w: (touches) => touches.writes,
  d: (touches) => touches.deletes,
  m: (touches) => touches.moves,
  p: (touches) => touches.reads,
  q: (touches) => touches.writes,
};

function readRoles({ options, args: roles, star }: Roles, parsed: ParsedOptions, add: AddTouch): void {
  for (const option of parsed.options) {
    const role = options.get(option.flag);
    if (role !== undefined) add(role, option.value);
  }
  const tail = star === -1 ? 0 : roles.length - star - 1;
  const count = parsed.args.length;
  for (let index = 0; index < count; index += 1) {
    const last = star !== -1 && count > star + tail && index >= count - tail;
    const role = last
      ? roles[roles.length - (count - index)]
      : roles[index < star || star === -1 ? index : star];
    if (role !== undefined) add(role, parsed.args[index] ?? "");
  }
}

/** All texts of some lists as a person would write them, each once. */
export function plainList(lists: readonly (readonly string[] | undefined)[]): readonly string[] {
  const texts = new Set<string>();
  for (const list of lists) for (const text of list ?? []) texts.add(shown(text));
  return [...texts];
}

/** Everything a command reaches beyond the files it names; `undefined` for nothing. */
export function reachesOf(
  { reach: reacher }: Program,
  invocation: Invocation,
  code: CodeFindings | undefined,
): readonly ShellReach[] | undefined {
  if (reacher === undefined && code === undefined && invocation.touches.uploads.length === 0)
    return undefined;
  const found = [...(reacher?.(invocation) ?? []), ...sent(invocation), ...inCode(invocation, code)];
  if (found.length === 0) return undefined;
  return found.map(({ access, path, except, certain }) => ({ access, path: shown(path), except, certain }));
}

/** A folder is sent with everything in it. */
function sent(invocation: Invocation): readonly ShellReach[] {
  const { uploads } = invocation.touches;
  return uploads.length === 0 ? [] : reach("reads", uploads, { except: excluded(invocation) });
}

/** Code may read every file that its strings name, and write each of them when it writes at all. */
function inCode({ folder }: Invocation, code: CodeFindings | undefined): readonly ShellReach[] {
  if (code === undefined) return [];
  const paths = code.named.map((name) => joinPath(folder, name));
  const found = code.finds.map((name) => joinPath(folder, name));
  const some = { certain: false };
  return [
    ...reach("reads", [...paths, ...found], some),
    ...(code.writes ? reach("writes", paths, some) : []),
  ];
}

/** What statements, and commands of the clients, do with files of this machine; the first group names the file. */
const SQL_FILES: readonly (readonly ["r" | "w", RegExp])[] = [
  [
    "r",
    /\b(?:readfile|pg_read_\w+|pg_stat_file|pg_ls_dir|lo_import|load_file|load_extension|read_(?:text|blob|csv|parquet|n?d?json|xlsx)\w*|(?:csv|parquet|json)_scan|sniff_csv|file|infile)\s*\(\s*'([^']+)'/gi,
  ],
  [
    "r",
    /\b(?:copy\b[^;']{0,300}?\bfrom|infile|attach(?:\s+database)?|import\s+database|restore\b[^;']{0,300}?\bfrom(?:\s+disk\s*=)?|from|join)\s+'([^']+)'/gi,
  ],
  ["w", /\b(?:writefile\s*\(|lo_export\s*\([^,']{1,40},|pg_file_write\s*\()\s*'([^']+)'/gi],
  [
    "w",
    /\b(?:copy\b[^;']{0,300}?\bto|into\s+(?:outfile|dumpfile)|vacuum(?:\s+\w+)?\s+into|attach(?:\s+database)?|export\s+database|backup\b[^;']{0,300}?\bto(?:\s+disk\s*=)?)\s+'([^']+)'/gi,
  ],
  ["r", /\\copy\b[^\n]{0,300}?\bfrom\s+['"]?([^\s'"]+)/gi],
  ["w", /\\copy\b[^\n]{0,300}?\bto\s+['"]?([^\s'"]+)/gi],
  [
    "r",
    /(?:^|[\n;])\s{0,40}(?:\.(?:read|import|open|restore|load)|\\(?:ir?|include\w*|lo_import)|\\\.|source)\s+(?:--?\w+\s+)?['"]?([^\s'";|]+)/gi,
  ],
  [
    "w",
    /(?:^|[\n;])\s{0,40}(?:\.(?:output|once|backup|save|log|clone)|\\(?:o(?:ut)?|w(?:rite)?|s|g|lo_export\s+\d+)|tee|\\T)\s+(?:--?\w+\s+)?['"]?([^\s'";|]+)/gi,
  ],
];

/** The files that the statements of a client for databases read and write, from its words and its standard input. */
function sqlFiles(
  { args, options }: ParsedOptions,
  stdin: string | undefined,
): readonly (readonly ["r" | "w", string])[] {
  const text = [...args, ...options.map(({ value }) => value), stdin ?? ""].join("\n");
  return SQL_FILES.flatMap(([role, pattern]) =>
    Array.from(text.matchAll(pattern), (match) => [role, match[1] ?? ""] as const),
  );
}
