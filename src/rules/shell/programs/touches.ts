import { deviceHost, hostOf, remoteHost } from "../behaviours/hosts.ts";
import { namedSecrets } from "../behaviours/named-secrets.ts";
import { joinPath } from "../behaviours/paths.ts";
import type { Redirections } from "../interpret/frame.ts";
import { shown } from "../words/partly-known-text.ts";
import { byProgram } from "./by-program.ts";
import type { ParsedOptions, Touches } from "./invocation.ts";
import { SAME_OPTIONS } from "./same-options.ts";
import { SPECIAL_TOUCHES } from "./special-touches.ts";
import { type AddTouch, type Role, type TouchRow, touchRow } from "./touch-table.ts";

/** What a command touches that has no redirections and names nothing its program would touch. */
export const NOTHING: Touches = {
  reads: [],
  uses: [],
  writes: [],
  deletes: [],
  moves: [],
  connects: [],
  uploads: [],
};

const NO_TEXTS: readonly string[] = [];

/** Reads a command's words by the table of programs. */
export function touchesOf(
  program: string,
  parsed: ParsedOptions,
  redirections: Redirections,
  folder: string,
  words: readonly string[],
): Touches {
  const { row, special } = rulesOf(program);
  const secrets = row === undefined && special === undefined ? namedSecrets(program, words) : NO_TEXTS;
  if (row === undefined && special === undefined && secrets.length + redirections.list.length === 0)
    return NOTHING;
  const touches: Touches = {
    reads: [],
    uses: [],
    writes: [],
    deletes: [],
    moves: [],
    connects: [],
    uploads: [],
  };
  const add: AddTouch = (role, value) => addTouch(touches, role, value, folder);
  if (row !== undefined) readRow(row, parsed, add);
  special?.(parsed, add, touches);
  for (const path of secrets) add("r", path);
  const { uploads } = touches;
  for (let at = 0; at < uploads.length; at += 1) uploads[at] = joinPath(folder, uploads[at] ?? "");
  for (const path of redirections.reads) add("r", path);
  for (const path of redirections.writes) add("w", path);
  return redirections.list.length === 0 && isEmpty(touches) ? NOTHING : touches;
}

function isEmpty({ reads, uses, writes, deletes, moves, connects, uploads }: Touches): boolean {
  const paths = reads.length + uses.length + writes.length + deletes.length + moves.length;
  return paths + connects.length + uploads.length === 0;
}

/** What the two tables say about a program. */
interface TouchRules {
  readonly row: Row | undefined;
  readonly special: (typeof SPECIAL_TOUCHES)[string] | undefined;
}

const rulesOf = byProgram((program): TouchRules => {
  const name = tableName(program);
  const special = Object.hasOwn(SPECIAL_TOUCHES, name) ? SPECIAL_TOUCHES[name] : undefined;
  const row = touchRow(name);
  return { row: row === undefined ? undefined : compile(row), special };
});

/** A {@link TouchRow} in the form it is looked up in. */
interface Row {
  readonly options: ReadonlyMap<string, Role>;
  /** The roles of arguments one by one. */
  readonly roles: readonly (Role | undefined)[];
  /** Where the role that repeats stands; -1 for none. */
  readonly star: number;
}

const ROLES: readonly Role[] = ["r", "u", "w", "d", "m", "h", "a", "p", "q", "-"];

function compile({ args = "", options = {} }: TouchRow): Row {
  const words = args.split(" ").filter((word) => word !== "");
  return {
    options: new Map(Object.entries(options)),
    roles: words.map((word) => ROLES.find((role) => role === word[0])),
    star: words.findIndex((word) => word.endsWith("*")),
  };
}

function tableName(program: string): string {
  if (program.startsWith("mkfs.")) return "mkfs";
  if (Object.hasOwn(SAME_OPTIONS, program)) return SAME_OPTIONS[program] ?? program;
  return program.startsWith("python") ? "python" : program;
}

function addTouch(touches: Touches, role: Role, value: string, folder: string): void {
  if (value === "" || value === "-" || value.startsWith("\uE000<(") || value.startsWith("\uE000>(")) return;
  if (role === "a" && /^file:\/\//i.test(value)) {
    touches.reads.push(joinPath(folder, value.slice(7)));
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
  const path = joinPath(folder, value.startsWith("file://") ? value.slice(7) : value);
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

function readRow({ options, roles, star }: Row, parsed: ParsedOptions, add: AddTouch): void {
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

/** All texts of some lists for a person: marks removed, each once. */
export function plainList(lists: readonly (readonly string[] | undefined)[]): readonly string[] {
  let found: string[] | undefined;
  // A set costs more than looking through a few texts.
  let seen: Set<string> | undefined;
  for (const list of lists) {
    if (list === undefined) continue;
    for (const marked of list) {
      const text = shown(marked);
      if (found === undefined) {
        found = [text];
        continue;
      }
      if (seen === undefined && found.length > 8) seen = new Set(found);
      if (seen === undefined ? found.includes(text) : seen.has(text)) continue;
      found.push(text);
      seen?.add(text);
    }
  }
  return found ?? NO_TEXTS;
}
