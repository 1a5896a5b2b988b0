import { TenterhookError } from "../../core/base/errors.ts";
import type { PermissionMode } from "../../core/contracts/tool.ts";
import { PERMISSION_MODES } from "../../core/contracts/tool.ts";
import { decideByMode, modeEdits } from "./by-mode.ts";
import { compilePermissionRule, misspelling } from "./compile-rule.ts";
import { coveringRules } from "./covering-rules.ts";
import { grantFor, isGranted, type PermissionGrant } from "./grants.ts";
import { type JudgedCall, judgedCall } from "./judged-call.ts";
import type { PermissionRule } from "./permission-rule.ts";
import type {
  PermissionDecision,
  PermissionPorts,
  PermissionSettings,
  RequestedCall,
} from "./permission-types.ts";
import { refusedByPlan } from "./plan-mode.ts";
import { rememberedFiles, rememberedPaths } from "./remembered-paths.ts";
import { openWorkspace } from "./workspace.ts";

/** The rules and the mode of one agent, made ready: decides which calls go on, are asked about or are refused. */
export interface PermissionPolicy {
  /** Rules that name a tool nobody knows, as sentences to show to the user. */
  readonly warnings: readonly string[];
  /** Decides a call. A deny rule is absolute; then what was granted, then ask, then allow, then the mode. */
  decide(call: RequestedCall): Promise<PermissionDecision>;
  /** What {@link PermissionPolicy.grant} would grant for this call. */
  grantFor(call: RequestedCall): Promise<PermissionGrant>;
  /**
   * Grants a call for the session, and nothing but it: the exact command, path or domain. Lets no call pass that a
   * deny rule or plan mode refuses.
   */
  grant(call: RequestedCall): Promise<PermissionGrant>;
  /** True when a deny rule forbids to read this file, so that searches can leave it out. */
  hides(path: string, cwd: string): boolean;
}

/**
 * Makes permissions ready. Every rule is compiled here, once.
 *
 * @throws TenterhookError `bad_permission` or `bad_pattern` that names the rule, `invalid_option` for an unknown mode.
 */
export function createPermissions(settings: PermissionSettings, given: PermissionPorts): PermissionPolicy {
  const paths = rememberedPaths(given.paths);
  const files = rememberedFiles(given.filesBelow);
  const ports = { ...given, paths, filesBelow: files.below };
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
    paths.forget();
    files.forget();
    const { tool_name } = judged.call;
    const denied = concerned(deny, judged);
    if (denied.surely !== undefined)
      return byRule("deny", denied.surely, `${tool_name} is denied by ${denied.surely.text}.`);
    const refused = refusedByPlan({ tool_name, annotations: judged.call.annotations, mode });
    if (refused !== undefined) return refused;
    const grant = grants.find((given) => isGranted(given, judged, ports));
    if (grant !== undefined) return { action: "allow", reason: `Granted for this session: ${grant.text}.` };
    const asked = concerned(ask, judged);
    if (asked.surely !== undefined)
      return byRule("ask", asked.surely, `${asked.surely.text} wants a human to be asked.`);
    const doubtful = denied.maybe ?? asked.maybe;
    if (doubtful !== undefined)
      return byRule(
        "ask",
        doubtful,
        `A part of this call can't be known, and ${doubtful.text} may be about it.`,
      );
    const edits = (path: string, cwd: string) => modeEdits(mode, path, cwd, surroundings);
    const covering = coveringRules(allow, judged, edits);
    if (covering !== undefined)
      return { action: "allow", reason: `${tool_name} is allowed by ${covering}.`, rule: covering };
    return decideByMode(mode, judged, surroundings);
  };

  return {
    warnings: written.flatMap((rule) => misspelling(rule) ?? []),
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
      paths.forget();
      return deny.some((rule) => rule.hides?.(path, cwd) === true);
    },
  };
}

/** The first rule that is surely about a call, and the first that may be. */
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
  return maybe === undefined ? {} : { maybe };
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
