/** The agent: a complete loop whose every step passes the hooks. */
import { Agent as AgentOfParts } from "./agent/agent.ts";
import { forkAt, limitModes, loadTranscript } from "./agent/conversation/stored-transcript.ts";
import { readDefinitions } from "./agent/definitions/read-definitions.ts";
import { readSkills } from "./agent/definitions/read-skills.ts";
import { openModel } from "./agent/model/open-model.ts";
import { partsOf } from "./agent/option-groups.ts";
import type { AgentParts, AgentOptions as OptionsOfParts, SessionOptions } from "./agent/options.ts";
import { checkBounded, withinDefinitions } from "./agent/subagents/resumed-child.ts";
import { taskTool } from "./agent/tools/agent/task.ts";
import { type AiSdkTools, toolList } from "./agent/tools/ai-sdk-tools.ts";
import { defaultTools } from "./agent/tools/default-tools.ts";
import { memoryStore } from "./agent/transcripts/memory.ts";
import { currentTurnHooks } from "./config/trust/turn-hooks.ts";
import { fromCaller } from "./core/base/errors.ts";
import type { PermissionMode, Tool } from "./core/contracts/tool.ts";
import type { Transcript, TranscriptStore } from "./core/contracts/transcript.ts";
import type { Plugin } from "./core/registration/plugin.ts";
import { usePlugins } from "./handlers/callable-plugin.ts";
import { agentPermissions } from "./handlers/permissions/agent-permissions.ts";
import type { PermissionSettings, Permissions } from "./handlers/permissions/permission-types.ts";
import { createHooks } from "./index.ts";
import { type AgentMonitor, watchAgent } from "./monitor/own-agent/watch-agent.ts";
import { contextWindow } from "./shared/models.ts";
import { costOf } from "./shared/prices.ts";

/** The options of an agent. Only the model has no default. */
export interface AgentOptions extends Omit<OptionsOfParts, "permissions" | "tools"> {
  /** A list of tools, or tools of the AI SDK by name, as they are. Default: all tools of `defaultTools()`. */
  readonly tools?: readonly Tool[] | AiSdkTools;
  /** Plug-ins: their hooks join `hooks`, their tools join `tools`. */
  readonly plugins?: readonly Plugin[];
  /**
   * Rules as in a configuration, or an object that decides. Without them a human is asked about everything that is not
   * read-only, unless `mode` says otherwise.
   */
  readonly permissions?: PermissionSettings | Permissions;
  /**
   * Shows the agent in the monitor (`tenterhook agents`): what it does, and what it asks, which can be answered there too.
   * Default: when the variable `TENTERHOOK_AGENT_ID` is set.
   */
  readonly monitor?: boolean | AgentMonitor;
}

/**
 * An agent: a model, tools and hooks, and the conversation they have. It works on one task at a time; every run is a turn
 * of the same session, which ends with `close()` or with the process. Models are given by name or as they are; the tools
 * are ours unless others are given. It asks before it writes or runs anything, through `approval`; a `mode` or `permissions`
 * open it.
 *
 * @example
 * const agent = new Agent({ model: "anthropic/claude-sonnet-4-5", mode: "accept-edits" });
 * const { text } = await agent.run("Why do the tests fail?");
 * await agent.close();
 */
export class Agent extends AgentOfParts {
  /** @throws TenterhookError for unknown options and invalid values. */
  constructor({ permissions = {}, monitor, plugins = [], tools, ...given }: AgentOptions) {
    const options = fromCaller(new.target, () => partsOf(given));
    const environment = options.environment ?? process.env;
    const { hooks = createHooks() } = options;
    const watch = watchAgent(monitor, { asks: options, hooks, environment });
    checkBounded(options);
    const configured = "check" in permissions ? undefined : permissions.mode;
    super({
      resolveModel: (name) => openModel(name, { environment, root: options.cwd ?? process.cwd() }),
      price: costOf,
      contextWindow,
      turnHooks: currentTurnHooks,
      permissions:
        "check" in permissions ? permissions : fromCaller(new.target, () => agentPermissions(permissions)),
      childStore: () => memoryStore(),
      findAgents: readDefinitions,
      findSkills: (cwd, signal) => readSkills(cwd, environment, signal),
      ...options,
      ...(configured === undefined ? {} : modeParts(configured, options)),
      ...watch?.options,
      tools: fromCaller(new.target, () => [
        ...toolsFor({ ...given, tools }),
        ...plugins.flatMap(({ tools = [] }) => tools),
      ]),
      hooks,
      ...(plugins.length === 0 ? {} : { ready: fromCaller(new.target, () => usePlugins(hooks, plugins)) }),
    });
    watch?.follow(this);
  }

  /**
   * An agent that continues a stored conversation, under the same ids. `continue()` completes a turn that was cut off
   * or waits for a human; `run()` begins another one. A subagent stays within its definition.
   *
   * @param stored the id of an agent in the store of the options, or its transcript.
   * @param options.signal ends the reading.
   * @throws TenterhookError `unknown_agent`, also for a subagent whose definition is gone; `store_damaged`; and as the
   *   constructor does.
   * @example
   * const agent = await Agent.resume(id, { model, store });
   * const { text } = agent.unfinished ? await agent.continue() : await agent.run("And now?");
   */
  static async resume(
    stored: string | Transcript,
    { signal, ...options }: ResumeOptions & { readonly signal?: AbortSignal },
  ): Promise<Agent> {
    const resume = await loadTranscript(stored, options.store, signal);
    const tools = toolsFor(options);
    const session = { ...options.session, resume };
    return new Agent(await withinDefinitions({ ...options, tools, session }, signal));
  }

  /**
   * An agent that begins with the messages of another one, up to a turn, as a session of its own.
   *
   * @param from the id of an agent in the store of the options.
   * @param options.turn the last turn it shares, from 1 on. Default: everything.
   * @param options.signal ends the reading.
   * @throws TenterhookError `unknown_agent`, also for a turn that is not there, and as `resume` does.
   */
  static async fork(from: string, { turn, signal, ...options }: ForkedOptions): Promise<Agent> {
    const { store } = options;
    const agent_id = await forkAt(store, from, turn, { signal });
    const resume = await loadTranscript(agent_id, store, signal);
    const tools = toolsFor(options);
    const session = { source: "fork" as const, ...options.session, resume };
    return new Agent(await withinDefinitions({ ...options, tools, session }, signal));
  }
}

/** The tools of an agent: kinds of subagents bring Task along. A resumed agent has got its tools before, within its definition. */
function toolsFor({
  tools,
  agents = [],
  session: { resume } = {},
}: {
  readonly tools?: AgentOptions["tools"] | undefined;
  readonly agents?: AgentOptions["agents"];
  readonly session?: SessionOptions;
}): readonly Tool[] {
  const given = toolList(tools ?? defaultTools());
  const needsTask =
    agents.length > 0 && resume === undefined && !given.some(({ name }) => name === taskTool.name);
  return needsTask ? [...given, taskTool] : given;
}

/** The options of a resumed agent, whose ids and conversation are known. */
export interface ResumeOptions extends Omit<AgentOptions, "session"> {
  readonly session?: Omit<
    SessionOptions,
    "session_id" | "agent_id" | "agent_type" | "parent_agent_id" | "transcript" | "resume"
  >;
}

type ForkedOptions = ResumeOptions & {
  readonly store: TranscriptStore;
  readonly turn?: number;
  readonly signal?: AbortSignal;
};

/** The mode of the rules if none was chosen; a resumed agent keeps its own if that is stricter. */
function modeParts(
  configured: PermissionMode,
  { mode, resume }: Pick<AgentParts, "mode" | "resume">,
): Pick<AgentParts, "mode" | "resume"> {
  if (resume?.metadata.mode === undefined) return { mode: mode ?? configured };
  return { resume: limitModes(resume, configured) };
}

export type { ContinueOptions, StreamOptions } from "./agent/agent.ts";
export type { ActivityEntry, AgentStore } from "./agent/contracts.ts";
export type { AgentDefinition } from "./agent/definitions/definition.ts";
export type { OwnHooks, Skill } from "./agent/definitions/skill.ts";
export type {
  AgentItem,
  AgentResult,
  HookInputItem,
  HookItem,
  HookItemBase,
  OutputResult,
  SteerResult,
} from "./agent/items.ts";
export type {
  AgentMessage,
  AnswerEnd,
  BackgroundMark,
  ContextPart,
  FinishReason,
  HookInputPart,
  MessageFromAssistant,
  MessageFromTool,
  MessageFromUser,
  MissingOutcome,
  ProviderMetadata,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from "./agent/messages/messages.ts";
export type { Prompt } from "./agent/messages/prompt-input.ts";
export type { AgentModel, ModelCall, ModelChoice, ModelStream } from "./agent/model/agent-model.ts";
export { openModel } from "./agent/model/open-model.ts";
export type { ModelPiece } from "./agent/model/pieces.ts";
export type { OpenedModel } from "./agent/model/providers.ts";
export { scriptedModel } from "./agent/model/scripted-model.ts";
export type {
  AgentLimits,
  AgentPorts,
  Budget,
  CompactionSettings,
  ContextSettings,
  ModelOptions,
  SessionOptions,
  SubagentOptions,
} from "./agent/options.ts";
export { compactionHook } from "./agent/ready-made/compaction-hook.ts";
export { type FormatOptions, formatAfterEdit } from "./agent/ready-made/format-after-edit.ts";
export { injectContext } from "./agent/ready-made/inject-context.ts";
export { promptStop, promptToolGate } from "./agent/ready-made/prompt-gates.ts";
export { type RedactOptions, redactResults } from "./agent/ready-made/redact-results.ts";
export { sharedValue, type Value, type Values } from "./agent/ready-made/shared-value.ts";
export { type TodoReminderOptions, todoReminder } from "./agent/ready-made/todo-reminder.ts";
export { type UsageLine, usageLogger } from "./agent/ready-made/usage-logger.ts";
export type { RunOptions } from "./agent/run/run.ts";
export type { HumanAnswer } from "./agent/run/session/answers.ts";
export type { StopReason } from "./agent/stop-reasons.ts";
export type { SpanAttributes, Telemetry, TelemetrySpan, TelemetryTracer } from "./agent/telemetry/api.ts";
export { taskTool } from "./agent/tools/agent/task.ts";
export { type AiSdkTool, type AiSdkTools, aiSdkTools } from "./agent/tools/ai-sdk-tools.ts";
export { defaultTools } from "./agent/tools/default-tools.ts";
export { type McpTools, type McpToolsOptions, mcpTools } from "./agent/tools/mcp/mcp-tools.ts";
export { type CallContext, type ModelOutput, type TypedTool, tool } from "./agent/tools/tool.ts";
export type { TurnHookSource, TurnHooks } from "./agent/turn-hooks.ts";
export type { WaitingFor } from "./agent/waiting-for.ts";
export type {
  AnswerTime,
  Approval,
  ApprovalOptions,
  ApprovalRequest,
  ApprovalScope,
  Approved,
  AskApproval,
  AskUser,
  PersonAnswer,
  QuestionAnswers,
  Refused,
} from "./core/contracts/approval.ts";
export type {
  Attachment,
  ContentPart,
  FileContent,
  FileData,
  FilePart,
  ImageContent,
  TextContent,
} from "./core/contracts/content.ts";
export type { McpServer } from "./core/contracts/definition-site.ts";
export type {
  PermissionMode,
  Tool,
  ToolAnnotations,
  ToolContext,
  ToolHost,
  ToolResult,
  UserQuestion,
} from "./core/contracts/tool.ts";
export type { InputOf, OutputOf } from "./core/contracts/tool-types.ts";
export { type AgentPermissions, agentPermissions } from "./handlers/permissions/agent-permissions.ts";
export type {
  PermissionCall,
  PermissionSettings,
  Permissions,
  PermissionVerdict,
} from "./handlers/permissions/permission-types.ts";
export { type AuditLogOptions, auditLog } from "./journal/audit-log.ts";
export { judgeWithAgent } from "./judge-agent.ts";
export type { AgentMonitor } from "./monitor/own-agent/watch-agent.ts";
export type {
  AnySchema,
  JsonSchema,
  SchemaTarget,
  SchemaWithJson,
  StandardIssue,
  StandardResult,
  StandardSchema,
} from "./shared/contracts/schema.ts";
export { costOf, LIST_PRICES, type ModelPrice, type ModelPrices } from "./shared/prices.ts";
