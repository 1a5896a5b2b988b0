import { filesOfPatch, plainName } from "../../core/match/tool-inputs.ts";
import type { Behaviour, ShellCommand } from "../shell/analysis.ts";
import { holdsOwnData, isCostly } from "../shell/judge/costly.ts";
import { losesData } from "../shell/judge/statements.ts";
import { readPath, textsOf } from "./field-path.ts";
import { type JudgedEvent, rememberedFor } from "./judged-event.ts";
import { cwdOf, filesOf, pathIdentities } from "./paths.ts";
import { isKnownTool, ownToolName, toolOf } from "./shell-text.ts";

/** Where tools of others take statements for a database. A search takes words of people there. */
const STATEMENTS: ReadonlySet<string> = new Set(
  "sql query queries statement statements sqlquery sqlstatement script".split(" "),
);
const SEARCHES = /search|find|docs|lookup|ask/i;
/** Tools that put one file at the place of another; the last file they name is that place. */
const MOVES = /^(?:move|copy|rename)[_-]?file$/i;

const remembered = rememberedFor<readonly ShellCommand[]>();

/**
 * What a call of a tool that is no shell does, as if one command did it: `@overwrites` a file of data or secrets that is
 * there, `@loses` a file, or the rows of a database. None for a call that does neither.
 */
export function toolCommands(subject: JudgedEvent): readonly ShellCommand[] {
  return remembered(subject, "", () => {
    const behaviours = behavioursOf(subject);
    return behaviours.length === 0 ? NONE : [{ ...BLANK, behaviours }];
  });
}

const NONE: readonly ShellCommand[] = [];
const BLANK = {
  name: undefined,
  flags: [],
  options: [],
  args: [],
  text: "",
  dynamic: false,
  wrapper: false,
  redirections: [],
  reads: [],
  writes: [],
  connects: [],
} as const;

function behavioursOf(subject: JudgedEvent): readonly Behaviour[] {
  const { event } = subject;
  const tool = toolOf(event);
  const input = readPath(event, ["tool_input"]);
  switch (tool) {
    case "Bash":
      return [];
    case "Write":
      return overwritten(subject, filesOf(subject));
    case "Edit":
      return readPath(input, ["command"]) === "create" ? overwritten(subject, filesOf(subject)) : [];
    case "ApplyPatch": {
      const gone = filesOfPatch(input).filter((file) => !file.reads);
      return overwritten(
        subject,
        gone.map((file) => file.path),
      );
    }
    case "Delete":
      return deleted(subject, filesOf(subject));
    default:
      if (tool === undefined || isKnownTool(tool)) return [];
      if (MOVES.test(ownToolName(event) ?? "")) return overwritten(subject, filesOf(subject).slice(-1));
      return losesRows(event.tool_name, input) ? [{ kind: "loses", target: "database" }] : [];
  }
}

function overwritten(subject: JudgedEvent, paths: readonly string[]): readonly Behaviour[] {
  const { ports } = subject;
  return paths
    .filter(
      (path) => holdsOwnData(placeOf(subject, path)) && ports.holdsData?.(path, cwdOf(subject)) !== false,
    )
    .map((path) => ({ kind: "overwrites", target: placeOf(subject, path) }));
}

function deleted(subject: JudgedEvent, paths: readonly string[]): readonly Behaviour[] {
  const places = paths.map((path) => placeOf(subject, path));
  return places.filter(isCostly).map((target) => ({ kind: "loses", target }));
}

/** The path as a line would have it: in the working folder, in the home, or absolute. */
function placeOf(subject: JudgedEvent, path: string): string {
  const [absolute = path, relative] = pathIdentities(subject, path)[0] ?? [];
  const { home } = subject.ports;
  if (relative !== undefined) return relative;
  return home !== undefined && absolute.startsWith(`${home}/`) ? `~${absolute.slice(home.length)}` : absolute;
}

function losesRows(name: unknown, input: unknown): boolean {
  if (typeof input !== "object" || input === null || SEARCHES.test(String(name))) return false;
  return Object.entries(input).some(
    ([field, value]) =>
      STATEMENTS.has(plainName(field)) && textsOf(value).some((text) => losesData(text, "sql")),
  );
}
