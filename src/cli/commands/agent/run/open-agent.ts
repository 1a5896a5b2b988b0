import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Prompt } from "../../../../agent/messages/prompt-input.ts";
import { MEMORY_FILES } from "../../../../agent/options.ts";
import type { HumanAnswer, NoAnswer } from "../../../../agent/run/session/answers.ts";
import { withinDefinitions } from "../../../../agent/subagents/resumed-child.ts";
import {
  Agent,
  type AgentItem,
  type AgentMonitor,
  type AgentOptions,
  type AgentResult,
  type AskApproval,
  costOf,
  defaultTools,
  type McpTools,
  mcpTools,
  type SessionOptions,
} from "../../../../agent.ts";
import { type Config, ConfigError, problemText } from "../../../../config.ts";
import { withoutUndefined } from "../../../../core/base/json.ts";
import type { AnswerTime } from "../../../../core/contracts/approval.ts";
import type { PermissionMode } from "../../../../core/contracts/tool.ts";
import type { Hooks } from "../../../../index.ts";
import { takeAgentSlot } from "../../../../monitor/agent-slot.ts";
import { type OpenedHooks, openHooks } from "../../../../project.ts";
import { boundResume, chosenMode } from "./choices.ts";
import { followedPermissions, followedTurnHooks } from "./live-settings.ts";
import { monitorOptions } from "./monitor-options.ts";
import { systemPrompt } from "./system-prompt.ts";

const AGENT_HOOKS = join(".agent", "hook.toml");

/** Where an agent works, and what the command line chooses besides the configuration. */
export interface AgentPlan
  extends Pick<AgentOptions, "askUser" | "limits" | "store" | "suspend">,
    Pick<SessionOptions, "resume" | "session_id" | "source"> {
  readonly approval?: AskApproval;
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly managedFile?: string;
  readonly signal: AbortSignal;
  /** The hooks of the folder, which are closed with the agent. Default: they are opened for it. */
  readonly hooks?: OpenedHooks;
  readonly mode?: PermissionMode;
  /** Set for a run of the fleet: what it asks waits without a process, however long a human may take. */
  readonly fleet?: NonNullable<AgentMonitor["fleet"]>;
  /** Opens the model once the configuration is known. */
  readonly model: (config: Config) => Promise<AgentOptions["model"]>;
  /** The name that opens the same model again. */
  readonly model_name?: (config: Config) => string;
  readonly report: (message: string) => void;
}

export interface OpenedAgent {
  readonly agent: Agent;
  readonly hooks: Hooks;
  readonly config: Config;
  readonly model: string;
  readonly mode: PermissionMode;
  /** How long a human has for an answer; absent for any time. */
  readonly answer_time?: AnswerTime;
  refresh(): Promise<void>;
  /**
   * Ends the session, runs SessionEnd hooks and ends everything that was started for it. A second call waits for the
   * first.
   */
  close(reason: string): Promise<void>;
}

/**
 * Creates an agent from the configuration, which is watched: hooks, journal, tools and MCP servers, permissions,
 * sandbox, memory files and turn hooks. Problems that stop nothing are reported.
 *
 * @throws ConfigError for an invalid configuration, TenterhookError for an invalid model, mode or permission rule;
 * nothing is left open then.
 */
export async function openAgent(plan: AgentPlan): Promise<OpenedAgent> {
  const { folder: cwd, environment, managedFile, signal, report } = plan;
  let started = false;
  const opened =
    plan.hooks ??
    (await openHooks({
      cwd,
      environment,
      managedFile,
      signal,
      // An error that makes the start fail is thrown, not reported.
      report: (message) => (started ? report(message) : undefined),
    }));
  let servers: McpTools | undefined;
  let leaveSlot = (): void => {};
  const closeParts = async (): Promise<void> => {
    leaveSlot();
    await servers?.close();
    await opened.close();
  };
  try {
    const { config } = opened;
    if (config.broken !== undefined) throw new ConfigError(config.broken.problems);
    const { mcp_servers, memory, models, agents, checkpoints } = config.settings;
    const resume = boundResume(config, plan.resume);
    const mode = chosenMode(config, plan.mode, resume?.metadata.mode);
    const permissions = followedPermissions(opened);
    const model = await plan.model(config);
    reportProblems(opened, permissions.warnings, report);
    leaveSlot = await takeAgentSlot(config.settings.monitor.max_concurrency, { environment, signal, report });
    if (Object.keys(mcp_servers).length > 0)
      servers = await mcpTools(mcp_servers, { cwd: config.trust.root, environment, signal });
    for (const warning of servers?.warnings ?? []) report(warning);
    const memory_files = memory.files ?? MEMORY_FILES;
    const session_id = resume?.metadata.session_id ?? plan.session_id ?? randomUUID();
    const { hooks } = opened;
    const site = { folder: cwd, session_id, memory_files, permissions, mode, hooks, signal, report };
    const { approval: ask, askUser, store, source, fleet, suspend = fleet && true } = plan;
    const limits = { ...withoutUndefined({ max_concurrency: agents.max_concurrency }), ...plan.limits };
    const asking = monitorOptions(config, plan);
    const options = {
      model,
      cwd,
      environment,
      hooks,
      tools: [...defaultTools(), ...(servers?.tools ?? [])],
      system_prompt: await systemPrompt(site),
      permissions,
      mode,
      models: {
        model_name: plan.model_name?.(config),
        fallback: models.fallback,
        rate_limit: models.rate_limit,
        price: (name, usage) => costOf(name, usage, models.prices),
      },
      session: {
        session_id,
        checkpoint_messages: checkpoints.messages,
        resume,
        source,
      },
      context: { memory_files, compaction: config.settings.compaction },
      subagents: { hookSite: (owner) => opened.config.sites[owner] },
      ports: { turnHooks: followedTurnHooks(opened) },
      sandbox: () => opened.config.settings.sandbox.mode ?? "off",
      askUser,
      limits,
      store,
      suspend,
      ...asking,
      approval: { ...asking.approval, ...withoutUndefined({ ask }) },
    } satisfies AgentOptions;
    const agent = new Agent(await withinDefinitions(options, signal));
    const end = async (reason: string): Promise<void> => {
      await agent.close(reason);
      await closeParts();
    };
    let ending: Promise<void> | undefined;
    const close = (reason: string): Promise<void> => {
      ending ??= end(reason);
      return ending;
    };
    started = true;
    const answer_time = asking.approval?.timeout;
    return {
      agent,
      hooks,
      get config() {
        return opened.config;
      },
      model: typeof model === "string" ? model : `${model.provider.split(".")[0]}/${model.modelId}`,
      mode,
      refresh: () => opened.refresh(),
      close,
      answer_time,
    };
  } catch (error) {
    await closeParts();
    throw error;
  }
}

/**
 * Reports problems in the configuration. Hooks report missing trust themselves, and a bad hook.toml is reported each
 * turn.
 */
function reportProblems(
  { config, failing }: Pick<OpenedHooks, "config" | "failing">,
  ruleWarnings: readonly string[],
  report: (message: string) => void,
): void {
  const { trust, warnings } = config;
  for (const warning of warnings)
    if (!warning.message.includes(" is not in force: ") && !warning.file.endsWith(AGENT_HOOKS))
      report(problemText(warning));
  for (const warning of ruleWarnings) report(warning);
  const untrusted = trust.untrusted.map(({ name }) => name);
  for (const { name, reason } of failing)
    if (!untrusted.includes(name)) report(`The hook ${name} will fail: ${reason}`);
}

/** A new message; or continue, with an answer if the session waits for one. */
export type Task = Prompt | HumanAnswer | NoAnswer;

/**
 * Runs a task or continues a session, then closes the agent: SessionEnd hooks run, and nothing is left running. `done`
 * is the last item.
 *
 * @throws TenterhookError as `agent.run` does; the agent is closed then too.
 */
export async function workOn(
  { agent, close }: OpenedAgent,
  task: Task,
  { signal, onItem }: { readonly signal: AbortSignal; readonly onItem: (item: AgentItem) => void },
): Promise<AgentResult> {
  const watching = { signal, onItem, close: true };
  try {
    return isPrompt(task) ? await agent.run(task, watching) : await agent.continue({ ...watching, ...task });
  } finally {
    await close("exit");
  }
}

function isPrompt(task: Task): task is Prompt {
  return typeof task === "string" || Array.isArray(task);
}
