import { checkKeys } from "../../core/base/check-options.ts";
import { fromCaller, TenterhookError } from "../../core/base/errors.ts";
import { nodePaths, nodeRulePorts } from "../../node/ports.ts";
import { nodeFilesBelow } from "./files-below.ts";
import type {
  PermissionCall,
  PermissionSettings,
  Permissions,
  PermissionVerdict,
} from "./permission-types.ts";
import { createPermissions, type PermissionPolicy } from "./permissions.ts";

/** The permissions of an agent and all its subagents, each in its own mode. */
export interface AgentPermissions extends Required<Omit<Permissions, "bound">> {
  /** Sentences about rules that name an unknown tool. */
  readonly warnings: readonly string[];
  check(call: PermissionCall, signal: AbortSignal): Promise<PermissionVerdict>;
}

/**
 * Permissions for an agent on this machine. The mode of each call is the agent's own.
 *
 * @throws TenterhookError `bad_permission` or `bad_pattern` that names the rule, `invalid_option` for an unknown mode and
 *   rules that are not a list, `unknown_option` for an unknown key.
 */
export function agentPermissions(settings: PermissionSettings): AgentPermissions {
  const filesBelow = nodeFilesBelow();
  const open = (workspace: readonly string[]): PermissionPolicy =>
    createPermissions(settings, {
      paths: nodePaths,
      rules: nodeRulePorts,
      filesBelow,
      workspace,
    });
  // Compiled here for the first time, so that an invalid rule is reported before the agent starts.
  const { warnings, tools } = fromCaller(agentPermissions, () => {
    checkSettings(settings);
    return open(["/"]);
  });
  const byWorkspace = new Map<string, PermissionPolicy>();
  let granting: Promise<unknown> = Promise.resolve();
  const permissionsOf = ({ workspace }: Pick<PermissionCall, "workspace">): PermissionPolicy => {
    const key = JSON.stringify(workspace);
    const permissions = byWorkspace.get(key) ?? open(workspace);
    byWorkspace.set(key, permissions);
    return permissions;
  };
  return {
    warnings,
    tools,
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
      // After a failed grant the next such call is asked about again.
      granting = Promise.all([granting, given]).catch(() => undefined);
    },
  };
}

const LISTS = ["deny", "ask", "allow"] as const;

/** Refuses unknown keys and values: a rule that is not read would not hold. */
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
