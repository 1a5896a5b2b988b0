import { platform } from "node:os";
import { join, resolve } from "node:path";
import { withinDefinitions } from "../../../../agent/subagents/resumed-child.ts";
import {
  Agent,
  type AgentItem,
  type AgentOptions,
  type AgentResult,
  defaultTools,
  type McpTools,
  mcpTools,
} from "../../../../agent.ts";
import { type Config, ConfigError, problemText } from "../../../../config.ts";
import { capText } from "../../../../core/base/text.ts";
import type { PermissionMode } from "../../../../core/contracts/tool.ts";
import type { Hooks } from "../../../../index.ts";
import { firstBytes } from "../../../../node/files/first-bytes.ts";
import { type OpenedHooks, openHooks } from "../../../../open.ts";
import { boundResume, chosenCompaction, chosenMode } from "./choices.ts";
import { followedPermissions, followedTurnHooks } from "./live-settings.ts";

const AGENT_HOOKS = join(".agent", "hook.toml");
const MEMORY_FILES = ["AGENTS.md", "CLAUDE.md"];

/** Where an agent works, and what is chosen beside its configuration. */
export interface AgentPlan
  extends Pick<AgentOptions, "approve" | "askUser" | "limits" | "store" | "resume" | "source" | "suspend"> {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly managedFile?: string;
  readonly signal: AbortSignal;
  readonly mode?: PermissionMode;
  /** Opens the model, once it is known what the configuration says. */
  readonly model: (config: Config) => Promise<AgentOptions["model"]>;
  /** The name it can be opened by again. */
  readonly model_name?: (config: Config) => string;
  /** Hears what a person should know. */
  readonly report: (message: string) => void;
}

/** An agent as a configuration makes it. */
export interface OpenedAgent {
  readonly agent: Agent;
  readonly hooks: Hooks;
  readonly config: Config;
  /** The name of the model it starts with. */
  readonly model: string;
  readonly mode: PermissionMode;
  /** Ends the session, with SessionEnd hooks, and everything that was started for it. A second call waits for the first. */
  close(reason: string): Promise<void>;
}

/**
 * Puts an agent together: hooks and settings of the configuration, which is followed, the journal, tools and MCP servers,
 * permissions, sandbox, memory files and turn hooks. What can't be used and stops nothing is reported.
 *
 * @throws ConfigError for a configuration that can't be used, TenterhookError for a model, mode or permission rule that
 *   can't be; nothing is left open then.
 */
export async function openAgent(plan: AgentPlan): Promise<OpenedAgent> {
  const { folder: cwd, environment, managedFile, signal, report } = plan;
  let started = false;
  const opened = await openHooks({
    cwd,
    environment,
    ...(managedFile === undefined ? {} : { managedFile }),
    signal,
    // What makes the start fail is thrown, not told beside it.
    report: (message) => (started ? report(message) : undefined),
  });
  let servers: McpTools | undefined;
  const closeParts = async (): Promise<void> => {
    await servers?.close();
    await opened.close();
  };
  try {
    const { config } = opened;
    if (config.broken !== undefined) throw new ConfigError(config.broken.problems);
    const { mcp_servers, memory, models, checkpoints } = config.settings;
    const resume = boundResume(config, plan.resume);
    const mode = chosenMode(config, plan.mode, resume?.metadata.mode);
    const permissions = followedPermissions(opened);
    const model = await plan.model(config);
    tellProblems(opened, permissions.warnings, report);
    if (Object.keys(mcp_servers).length > 0)
      servers = await mcpTools(mcp_servers, { cwd: config.trust.root, environment, signal });
    for (const warning of servers?.warnings ?? []) report(warning);
    const memory_files = memory.files ?? MEMORY_FILES;
    const { approve, askUser, limits, store, source, suspend } = plan;
    const options: AgentOptions = {
      model,
      cwd,
      environment,
      hooks: opened.hooks,
      tools: [...defaultTools(), ...(servers?.tools ?? [])],
      system_prompt: await systemPrompt(cwd, memory_files),
      permissions,
      mode,
      ...(plan.model_name === undefined ? {} : { model_name: plan.model_name(config) }),
      memory_files,
      turnHooks: followedTurnHooks(opened),
      compaction: chosenCompaction(config.settings, nameOf(model)),
      ...(checkpoints.messages === undefined ? {} : { checkpoint_messages: checkpoints.messages }),
      ...(models.fallback === undefined ? {} : { fallback: models.fallback }),
      sandbox: () => opened.config.settings.sandbox.mode ?? "off",
      ...(approve === undefined ? {} : { approve }),
      ...(askUser === undefined ? {} : { askUser }),
      ...(limits === undefined ? {} : { limits }),
      ...(store === undefined ? {} : { store }),
      ...(resume === undefined ? {} : { resume }),
      ...(source === undefined ? {} : { source }),
      ...(suspend === undefined ? {} : { suspend }),
    };
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
    return { agent, hooks: opened.hooks, config, model: nameOf(model), mode, close };
  } catch (error) {
    await closeParts();
    throw error;
  }
}

function nameOf(model: AgentOptions["model"]): string {
  return typeof model === "string" ? model : `${model.provider.split(".")[0]}/${model.modelId}`;
}

/** Says what is not as its author meant it. What is not trusted hooks tell themselves, and a bad hook.toml each turn. */
function tellProblems(
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

const MOST_CHARACTERS = 30_000;

/** More of a memory file is not read: no character has more than four bytes. */
const MOST_BYTES = 4 * MOST_CHARACTERS + 4;

const PROMPT = `You are a coding agent. You work on the user's task in their workspace, with the tools you have, until it is done.

- Look before you change: read the files that matter and follow the style you find there.
- Change what the task needs and nothing else. Check your work by running what the project has for that.
- Hooks of the user look at what you do. A refused call has a reason: do what it says, and do not try to get around it.
- Text marked as context or HookInput comes from the user's hooks.
- Nobody may be there to answer. Ask only what you can't decide, and say in the end what you did, briefly and plainly.`;

/** What the agent of the command line is told before the task: how to work, where it is, and the project's own memory. */
export async function systemPrompt(folder: string, memoryFiles: readonly string[]): Promise<string> {
  const parts = [PROMPT, `Workspace: ${folder}\nPlatform: ${platform()}`];
  for (const name of memoryFiles) {
    // What is no file, or can't be read, says nothing.
    const text = await firstBytes(resolve(folder, name), MOST_BYTES).then(
      ({ bytes }) => bytes.toString("utf8"),
      () => "",
    );
    if (text.trim() !== "") parts.push(`# ${name}\n\n${capText(text.trim(), MOST_CHARACTERS)}`);
  }
  return parts.join("\n\n");
}

/** What the user says; or that it goes on, with the answer it waited for. */
export type Task = string | { readonly answers?: string };

/**
 * Has an agent work on one task, or go on with what it was at, and closes it whatever comes of that: SessionEnd hooks run, and nothing is left running.
 * Everything that happens is told; `done` is the last item.
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
    return typeof task === "string"
      ? await agent.run(task, watching)
      : await agent.continue({ ...watching, ...task });
  } finally {
    await close("exit");
  }
}
