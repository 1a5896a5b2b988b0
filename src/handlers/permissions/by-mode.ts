import type { PermissionMode } from "../../core/contracts/tool.ts";
import type { PathNormaliser } from "../../core/match/paths.ts";
import { touchedBy } from "../../rules/fields/touched.ts";
import {
  AGENT_FOLDERS,
  LOGIN_FILES,
  OWN_FOLDERS,
  PROGRAM_FILES,
  TOOL_FOLDERS,
} from "../../shared/protected-files.ts";
import type { JudgedCall } from "./judged-call.ts";
import type { PermissionDecision, PermissionPorts, RequestedCall } from "./permission-types.ts";
import type { Workspace } from "./workspace.ts";

interface Surroundings {
  readonly ports: PermissionPorts;
  readonly workspace: Workspace;
}

type ByMode = (judged: JudgedCall, surroundings: Surroundings) => PermissionDecision;

const careful: ByMode = (judged, { workspace }) => {
  const { tool_name, annotations } = judged.call;
  if (annotations?.read_only !== true)
    return { action: "ask", reason: `${tool_name} is not read-only and no rule allows this call.` };
  if (annotations.open_world === true)
    return {
      action: "ask",
      reason: `${tool_name} reaches outside this machine and no rule allows this call.`,
    };
  const outside = readPaths(judged).find((path) => !workspace.holds(path, judged.call.cwd));
  if (outside !== undefined)
    return { action: "ask", reason: `${tool_name} reads ${outside}, which is outside the workspace.` };
  return { action: "allow", reason: `${tool_name} only reads, inside the workspace.` };
};

const acceptEdits: ByMode = (judged, surroundings) => {
  if (judged.call.annotations?.edits_files !== true) return careful(judged, surroundings);
  const { cwd, tool_name } = judged.call;
  const stopped = touchedBy(judged.subject, "writes", false).find(
    (path) => !mayEdit(path, cwd, surroundings),
  );
  return stopped === undefined
    ? { action: "allow", reason: `${tool_name} edits the workspace, which this mode accepts.` }
    : { action: "ask", reason: `${tool_name} edits ${stopped}, which accept-edits does not accept.` };
};

/** What each mode does with a call that no rule decides. In dont-ask the caller refuses what asks. */
const MODES: Readonly<Record<PermissionMode, ByMode>> = {
  default: careful,
  plan: careful,
  "accept-edits": acceptEdits,
  "dont-ask": careful,
  bypass: ({ call }) => ({
    action: "allow",
    reason: `${call.tool_name} is not denied, and this mode asks for nothing.`,
  }),
};

/** Decides a call that no rule decides. */
export function decideByMode(
  mode: PermissionMode,
  judged: JudgedCall,
  surroundings: Surroundings,
): PermissionDecision {
  return MODES[mode](judged, surroundings);
}

/** True when a mode allows editing this file without a rule. */
export function modeEdits(
  mode: PermissionMode,
  path: string,
  cwd: string,
  surroundings: Surroundings,
): boolean {
  return mode === "bypass" || (mode === "accept-edits" && mayEdit(path, cwd, surroundings));
}

function mayEdit(path: string, cwd: string, { ports, workspace }: Surroundings): boolean {
  return workspace.holds(path, cwd) && !isGuarded(path, cwd, ports.paths);
}

/** The paths a call names; a search without a path reads the current folder. */
function readPaths(judged: JudgedCall): readonly string[] {
  const paths = [...touchedBy(judged.subject, "reads", false), ...touchedBy(judged.subject, "writes", false)];
  return paths.length === 0 && SEARCHES.has(judged.tool) ? ["."] : paths;
}

const SEARCHES: ReadonlySet<string> = new Set(["LS", "Glob", "Grep"]);

/** The refusal, in plan mode, of a call that may change something. It holds with and without rules. */
export function refusedByPlan({
  tool_name,
  annotations,
}: Pick<RequestedCall, "tool_name" | "annotations">): PermissionDecision | undefined {
  if (annotations?.read_only === true) return undefined;
  return { action: "deny", reason: `${tool_name} is not read-only, and in plan mode nothing is changed.` };
}

const FOLDERS = anyOf([...OWN_FOLDERS, ...AGENT_FOLDERS, ...TOOL_FOLDERS]);
const GUARDED = new RegExp(
  `(?:^|/)${FOLDERS}(?:/|$)|(?:^|/)${anyOf([...PROGRAM_FILES, ...LOGIN_FILES])}$`,
  "i",
);

function anyOf(names: readonly string[]): string {
  return `(?:${names.join("|").replaceAll(".", "\\.")})`;
}

/** True for a file that needs a question even where edits are accepted, however its path is read. */
function isGuarded(path: string, cwd: string, paths: PathNormaliser): boolean {
  return paths.spellings(path, cwd).some((spelling) => GUARDED.test(spelling));
}
