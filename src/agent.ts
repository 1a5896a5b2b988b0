/** The agent: a complete loop whose every step passes the hooks. */
import { Agent as AgentOfParts } from "./agent/agent.ts";
import type { AgentOptions as OptionsOfParts } from "./agent/options.ts";
import { agentPermissions } from "./agent/permissions/agent-permissions.ts";
import type { PermissionSettings } from "./agent/permissions/permission-types.ts";
import type { Permissions } from "./agent/ports.ts";
import { currentTurnHooks } from "./config/turn-hooks.ts";
import { createHooks } from "./index.ts";
import { openModel } from "./models/open-model.ts";
import { costOf } from "./models/prices.ts";
import { defaultTools } from "./tools/default-tools.ts";

/** What an agent is made of. Only the model has no default. */
export interface AgentOptions extends Omit<OptionsOfParts, "permissions"> {
  /** Rules as a configuration has them, or whatever else decides. Without any, hooks alone decide. */
  readonly permissions?: PermissionSettings | Permissions;
}

/**
 * An agent: a model, tools and hooks, and the conversation they have. It works on one task at a time; every run is a turn
 * of the same session, which ends with `close()` or with the process. Models are given by name or as they are; the tools
 * are ours unless others are given.
 *
 * @example
 * const agent = new Agent({ model: "anthropic/claude-sonnet-4-5" });
 * const { text } = await agent.run("Why do the tests fail?");
 * await agent.close();
 */
export class Agent extends AgentOfParts {
  /** @throws TenterhookError for options nobody reads or with values they can't have. */
  constructor({ permissions, ...options }: AgentOptions) {
    const environment = options.environment ?? process.env;
    super({
      tools: defaultTools(),
      hooks: createHooks(),
      resolveModel: (name) => openModel(name, { environment, root: options.cwd ?? process.cwd() }),
      price: costOf,
      turnHooks: currentTurnHooks,
      ...(permissions === undefined
        ? {}
        : permissionParts("check" in permissions ? permissions : agentPermissions(permissions), permissions)),
      ...options,
    });
  }
}

function permissionParts(
  permissions: Permissions,
  given: PermissionSettings | Permissions,
): Pick<OptionsOfParts, "permissions" | "mode"> {
  return "mode" in given && given.mode !== undefined ? { permissions, mode: given.mode } : { permissions };
}

export { compactionHook } from "./agent/helpers/compaction-hook.ts";
export { injectContext } from "./agent/helpers/inject-context.ts";
export {
  matchTool,
  matchToolPost,
  matchToolPostFailure,
  onToolFailure,
  onToolSuccess,
} from "./agent/helpers/match-tool.ts";
export { promptStop, promptToolGate } from "./agent/helpers/prompt-gates.ts";
export { type UsageLine, usageLogger } from "./agent/helpers/usage-logger.ts";
export type { AgentItem, AgentResult, StopReason } from "./agent/items.ts";
export type { AgentMessage } from "./agent/messages.ts";
export type { AgentLimits, ModelChoice } from "./agent/options.ts";
export type {
  AgentStore,
  Approval,
  ApprovalRequest,
  Approve,
  AskUser,
  PermissionCall,
  Permissions,
  PermissionVerdict,
  RolloutEntry,
} from "./agent/ports.ts";
export type { RunOptions } from "./agent/run.ts";
export type { TurnHookSource, TurnHooks } from "./agent/turn-hooks/types.ts";
export { sharedValue, type Value, type Values } from "./agent/values.ts";
export type { Tool, ToolContext, ToolHost, ToolResult } from "./core/tool.ts";
export { scriptedModel } from "./models/scripted-model.ts";
export { type McpTools, type McpToolsOptions, mcpTools } from "./tools/mcp/mcp-tools.ts";
export { agentPermissions, costOf, defaultTools, openModel };
