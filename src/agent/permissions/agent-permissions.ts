import { checkKeys } from "../../core/base/check-options.ts";
import { TenterhookError } from "../../core/base/errors.ts";
import type { PermissionMode, Tool } from "../../core/contracts/tool.ts";
import { nodePaths } from "../../node/paths.ts";
import { nodeRulePorts } from "../../node/rule-ports.ts";
import { nodeFilesBelow } from "./files-below.ts";
import type { PermissionGrant } from "./grants.ts";
import type { PermissionDecision, PermissionSettings, RequestedCall } from "./permission-types.ts";
import { createPermissions, type PermissionPolicy } from "./permissions.ts";

/** A call as the loop asks about it: with the tool, and with the mode and workspace as they are now. */
export interface AgentCall extends Omit<RequestedCall, "annotations"> {
  readonly tool?: Tool;
  readonly mode: PermissionMode;
  readonly workspace: readonly string[];
}

/** What the loop is told: the decision, and for a question what a human could grant. */
export interface AgentVerdict extends PermissionDecision {
  readonly suggestions?: readonly PermissionGrant[];
}

/** Permissions as the loop of an agent asks them; one for an agent and all its children, each in its own mode. */
export interface AgentPermissions {
  /** Rules that name a tool nobody knows, as sentences to show to the user. */
  readonly warnings: readonly string[];
  check(call: AgentCall, signal: AbortSignal): Promise<AgentVerdict>;
  /** True for a file that a deny rule forbids to read, so that searches leave it out. */
  hides(path: string, call: Pick<AgentCall, "cwd" | "workspace">): boolean;
  /** Grants exactly this call for the rest of the session. */
  grant(call: AgentCall): void;
}

/**
 * Permissions for an agent on this machine. The mode of each call is the agent's own.
 *
 * @throws TenterhookError `bad_permission` or `bad_pattern` that names the rule, `invalid_option` for an unknown mode and
 *   rules that are no list, `unknown_option` for a key nobody reads.
 */
export function agentPermissions(settings: PermissionSettings): AgentPermissions {
  checkSettings(settings);
  const filesBelow = nodeFilesBelow();
  const open = (workspace: readonly string[]): PermissionPolicy =>
    createPermissions(settings, { paths: nodePaths, rules: nodeRulePorts, filesBelow, workspace });
  // Rules are read here for the first time, so that a bad one is told before the agent works.
  const { warnings } = open(["/"]);
  const byWorkspace = new Map<string, PermissionPolicy>();
  let granting: Promise<unknown> = Promise.resolve();
  const permissionsOf = ({ workspace }: Pick<AgentCall, "workspace">): PermissionPolicy => {
    const key = JSON.stringify(workspace);
    const permissions = byWorkspace.get(key) ?? open(workspace);
    byWorkspace.set(key, permissions);
    return permissions;
  };
  return {
    warnings,
    check: async (call, signal) => {
      await granting;
      signal.throwIfAborted();
      const permissions = permissionsOf(call);
      const judged = { ...call, annotations: call.tool?.annotations };
      const decision = await permissions.decide(judged);
      if (decision.action !== "ask") return decision;
      return { ...decision, suggestions: [await permissions.grantFor(judged)] };
    },
    hides: (path, call) => permissionsOf(call).hides(path, call.cwd),
    grant: (call) => {
      const given = permissionsOf(call).grant({ ...call, annotations: call.tool?.annotations });
      // A grant that failed is no grant: the next call of the kind is asked about again.
      granting = Promise.all([granting, given]).catch(() => undefined);
    },
  };
}

const LISTS = ["deny", "ask", "allow"] as const;

/** A rule that nobody reads would be one that does not hold. */
function checkSettings(settings: PermissionSettings): void {
  checkKeys(settings, ["mode", ...LISTS], "permissions");
  for (const name of LISTS) {
    const rules: unknown = settings[name];
    if (rules === undefined || (Array.isArray(rules) && rules.every((rule) => typeof rule === "string")))
      continue;
    throw new TenterhookError(
      "invalid_option",
      `permissions.${name} must be a list of rules, not ${JSON.stringify(rules)}.`,
    );
  }
}
