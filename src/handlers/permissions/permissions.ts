import { TenterhookError } from "../../core/base/errors.ts";
import { PERMISSION_MODES, type PermissionMode } from "../../core/contracts/tool.ts";
import { everyCommand } from "../../rules/compiled/rule-holds.ts";
import { inShellFolders } from "../../rules/fields/touched.ts";
import type { ShellCommand } from "../../rules/shell/analysis.ts";
import { decideByMode, modeEdits, refusedByPlan } from "./by-mode.ts";
import { compilePermissionRule, misspelling, namedTool } from "./compile-rule.ts";
import type { FoundFiles } from "./files-below.ts";
import { grantFor, isGranted, type PermissionGrant } from "./grants.ts";
import { type JudgedCall, judgedCall, type PermissionRule } from "./judged-call.ts";
import type {
  PermissionDecision,
  PermissionPorts,
  PermissionSettings,
  RequestedCall,
} from "./permission-types.ts";
import { openWorkspace } from "./workspace.ts";

/** The compiled rules and the mode of one agent: decides which calls are allowed, asked about or denied. */
export interface PermissionPolicy {
  /** Sentences about rules that name an unknown tool. */
  readonly warnings: readonly string[];
  /** The tools that rules name, without patterns. */
  readonly tools: readonly string[];
  /** Decides a call. A deny rule is absolute; then come grants, ask, allow and the mode. */
  decide(call: RequestedCall): Promise<PermissionDecision>;
  /** What {@link PermissionPolicy.grant} would grant for this call. */
  grantFor(call: RequestedCall): Promise<PermissionGrant>;
  /**
   * Grants exactly this command, path or domain for the session. Deny rules and plan mode still apply.
   */
  grant(call: RequestedCall): Promise<PermissionGrant>;
  /** True when a deny rule forbids reading this file, so that searches skip it. */
  hides(path: string, cwd: string): boolean;
}

/**
 * Compiles permissions.
 *
 * @throws TenterhookError `bad_permission` or `bad_pattern` that names the rule, `invalid_option` for an unknown mode.
 */
export function createPermissions(settings: PermissionSettings, given: PermissionPorts): PermissionPolicy {
  const { ports, clear } = cachedPorts(given);
  const workspace = openWorkspace(ports);
  const surroundings = { ports, workspace };
  const compile = (rules: readonly string[] = []) =>
    rules.map((rule) => compilePermissionRule(rule, ports, workspace));
  const deny = compile(settings.deny);
  const ask = compile(settings.ask);
  const allow = compile(settings.allow);
  const written = [...(settings.deny ?? []), ...(settings.ask ?? []), ...(settings.allow ?? [])];
  const grants: PermissionGrant[] = [];
  const ownMode = checkedMode(settings.mode ?? "default");

  const decideJudged = (judged: JudgedCall, mode: PermissionMode): PermissionDecision => {
    clear();
    const { tool_name } = judged.call;
    const denied = concerned(deny, judged);
    if (denied.surely !== undefined)
      return byRule("deny", denied.surely, `${tool_name} is denied by ${denied.surely.text}.`);
    const refused = mode === "plan" ? refusedByPlan(judged.call) : undefined;
    if (refused !== undefined) return refused;
    const grant = grants.find((given) => isGranted(given, judged, ports));
    if (grant !== undefined) return { action: "allow", reason: `Granted for this session: ${grant.text}.` };
    const asked = concerned(ask, judged);
    if (asked.surely !== undefined)
      return byRule("ask", asked.surely, `${asked.surely.text} requires asking a human.`);
    const doubtful = denied.maybe ?? asked.maybe;
    if (doubtful !== undefined)
      return byRule("ask", doubtful, `A part of this call is unknown, and ${doubtful.text} may be about it.`);
    const edits = (path: string, cwd: string) => modeEdits(mode, path, cwd, surroundings);
    const covering = coveringRules(allow, judged, edits);
    if (covering !== undefined)
      return { action: "allow", reason: `${tool_name} is allowed by ${covering}.`, rule: covering };
    return decideByMode(mode, judged, surroundings);
  };

  return {
    warnings: written.flatMap((rule) => misspelling(rule) ?? []),
    tools: written.flatMap((rule) => namedTool(rule) ?? []),
    decide: async (call) => {
      const mode = checkedMode(call.mode ?? ownMode);
      const decision = decideJudged(await judgedCall(call, ports), mode);
      if (mode !== "dont-ask" || decision.action !== "ask") return decision;
      return { ...decision, action: "deny", reason: `${decision.reason} In this mode nobody is asked.` };
    },
    grantFor: async (call) => grantFor(await judgedCall(call, ports), ports),
    grant: async (call) => {
      const grant = grantFor(await judgedCall(call, ports), ports);
      grants.push(grant);
      return grant;
    },
    hides: (path, cwd) => {
      clear();
      return deny.some((rule) => rule.hides?.(path, cwd) === true);
    },
  };
}

/** Caches lookups for one decision: files and links may change before the next. */
function cachedPorts(given: PermissionPorts): {
  readonly ports: PermissionPorts;
  readonly clear: () => void;
} {
  const spellings = new Map<string, readonly string[]>();
  const files = new Map<string, FoundFiles>();
  const ports: PermissionPorts = {
    ...given,
    paths: {
      spellings: (path, cwd) => cached(spellings, `${cwd}\0${path}`, () => given.paths.spellings(path, cwd)),
    },
    filesBelow: (path, from, except) =>
      cached(files, JSON.stringify([path, from, except]), () => given.filesBelow(path, from, except)),
  };
  const clear = (): void => {
    spellings.clear();
    files.clear();
  };
  return { ports, clear };
}

function cached<Value>(known: Map<string, Value>, key: string, find: () => Value): Value {
  const value = known.get(key) ?? find();
  known.set(key, value);
  return value;
}

type MayEdit = (path: string, cwd: string) => boolean;

/**
 * The allow rules that together cover a call, or `undefined`. In a shell line every simple command must be known and covered,
 * and every file that it writes by redirection must be allowed to be edited.
 */
function coveringRules(
  rules: readonly PermissionRule[],
  judged: JudgedCall,
  modeEdits: MayEdit,
): string | undefined {
  const whole = rules.find((rule) => rule.covers(judged));
  if (whole !== undefined) return whole.text;
  if (judged.tool !== "Bash" || judged.shell === undefined) return undefined;
  const used = new Set<string>();
  const mayEdit: MayEdit = (path, cwd) =>
    modeEdits(path, cwd) || rules.some((rule) => rule.coversEdit?.(path, cwd) === true);
  const covered = everyCommand(judged.subject, ({ only }) => {
    if (only === undefined) return false;
    const rule = rules.find((each) => each.coversCommand?.(only) === true);
    if (rule !== undefined) used.add(rule.text);
    return rule !== undefined && mayRedirect(only, judged, mayEdit);
  });
  return covered ? [...used].join(", ") : undefined;
}

const HARMLESS = /^\/dev\/(?:null|stdout|stderr|tty)$/;

/** Writing a file by redirection is editing it: leave to run `ls` is not leave to run `ls > ~/.bashrc`. */
function mayRedirect(command: ShellCommand, judged: JudgedCall, mayEdit: MayEdit): boolean {
  const redirects = command.redirections.some(
    ({ operator, target }) =>
      operator.includes(">") &&
      !(operator.includes("&") && /^\d+$|^-$/.test(target)) &&
      !HARMLESS.test(target),
  );
  if (!redirects) return true;
  const writes = inShellFolders(judged.subject, command.writes).filter((path) => !HARMLESS.test(path));
  return writes.length > 0 && writes.every((path) => mayEdit(path, judged.call.cwd));
}

/** The first rule that is certainly about a call, or else the first that may be. */
function concerned(
  rules: readonly PermissionRule[],
  judged: JudgedCall,
): { readonly surely?: PermissionRule; readonly maybe?: PermissionRule } {
  let maybe: PermissionRule | undefined;
  for (const rule of rules) {
    const fit = rule.concerns(judged);
    if (fit === "yes") return { surely: rule };
    if (fit === "maybe") maybe ??= rule;
  }
  return { maybe };
}

function byRule(action: "ask" | "deny", { text }: PermissionRule, reason: string): PermissionDecision {
  return { action, reason, rule: text };
}

function checkedMode(mode: PermissionMode): PermissionMode {
  if (PERMISSION_MODES.includes(mode)) return mode;
  throw new TenterhookError(
    "invalid_option",
    `permissions.mode is ${JSON.stringify(mode)}; it must be ${PERMISSION_MODES.join(", ")}.`,
  );
}
