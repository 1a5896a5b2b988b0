import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isHookCommand } from "../../src/adapters/settings/hook-command.ts";
import { isRecord } from "../../src/core/base/json.ts";
import { decide } from "../../src/hook/decide.ts";
import { processHost } from "../../src/hook/process/run-hook.ts";
import { journalFile, journalFolder } from "../../src/journal/files.ts";
import { callIn } from "../cli/support/decided-here.ts";
import { userEnvironment } from "../cli/support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** What an agent sees of us on one event: whether it starts us, whether that refuses, and which hooks ran. */
export interface Seen {
  readonly called: boolean;
  readonly refused: boolean;
  readonly ran: readonly string[];
}

/** A project, its user and the agents' settings, for a driver that reads them as the agents do. */
export class World {
  readonly folder = temporaryFolder();
  readonly cwd = join(this.folder, "project");
  readonly environment = userEnvironment(this.folder, { PATH: join(this.folder, "bin") });
  private sessions = 0;

  /** Everything as on a new machine, with our program on the PATH. */
  reset(): void {
    for (const name of ["project", "home", "state", "config", "bin"])
      rmSync(join(this.folder, name), { recursive: true, force: true });
    for (const name of ["project/.git", "home/.claude", "home/.gemini"])
      mkdirSync(join(this.folder, name), { recursive: true });
    this.write("bin/tenterhook", "#!/bin/sh\n", 0o755);
    this.trustFolder(GEMINI);
  }

  /** An agent is started and trusts the folder. */
  trustFolder({ trust }: DrivenAgent): void {
    if (trust !== undefined) this.write(trust, JSON.stringify({ [this.cwd]: "TRUST_FOLDER" }));
  }

  write(path: string, text: string, mode = 0o644): void {
    const file = join(this.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode });
  }

  read(path: string): string | undefined {
    const file = join(this.folder, path);
    return existsSync(file) ? readFileSync(file, "utf8") : undefined;
  }

  remove(path: string): void {
    rmSync(join(this.folder, path), { force: true, recursive: true });
  }

  /** Sends a payload for an event with each of these tools, if the agent's settings say that it starts us for all. */
  async drive(agent: DrivenAgent, event: string, tools: readonly Tool[]): Promise<Seen> {
    const nothing = { called: false, refused: false, ran: [] };
    const files = agent.settings.map((path) => strictJson(this.read(path))).filter(isRecord);
    if (agent.trust !== undefined && this.read(agent.trust) === undefined) return nothing;
    if (files.some(agent.off) || this.read("bin/tenterhook") === undefined) return nothing;
    const payloads = (event.includes("Tool") ? tools : tools.slice(0, 1)).map((tool) =>
      agent.payload(event, tool),
    );
    const isAsked = payloads.every(({ tool_name }) => files.some((file) => startsUs(file, event, tool_name)));
    if (!isAsked) return nothing;
    let seen: Seen = { ...nothing, called: true };
    for (const payload of payloads) seen = together(seen, await this.send(event, payload));
    return seen;
  }

  private async send(event: string, payload: Payload): Promise<Omit<Seen, "called">> {
    this.sessions += 1;
    const session = `s${this.sessions}`;
    const text = JSON.stringify({ ...payload, session_id: session, cwd: this.cwd, hook_event_name: event });
    const answer = await decide(callIn(this, text), processHost);
    await answer?.after();
    const { stdout = "", exit_code } = answer?.reply ?? {};
    return { refused: exit_code === 2 || /"(?:deny|block)"/.test(stdout), ran: this.ranIn(session) };
  }

  private ranIn(session: string): readonly string[] {
    const file = journalFile(journalFolder(this.environment), session);
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    const runs: readonly { readonly name: string; readonly failure?: unknown }[] = lines.flatMap(
      (line) => JSON.parse(line).runs ?? [],
    );
    return runs.flatMap(({ name, failure }) =>
      failure === undefined && !name.startsWith("tenterhook:") ? [name] : [],
    );
  }
}

function together(one: Seen, { refused, ran }: Omit<Seen, "called">): Seen {
  return { called: true, refused: one.refused || refused, ran: [...new Set([...one.ran, ...ran])] };
}

export type Tool = "shell" | "reads";

type Payload = Readonly<Record<string, unknown>>;

/** How one agent reads its settings and what it sends, as its own documentation has it. */
export interface DrivenAgent {
  readonly name: string;
  readonly settings: readonly string[];
  readonly events: readonly string[];
  /** The record without which it starts no hook. */
  readonly trust?: string;
  off(settings: Readonly<Record<string, unknown>>): boolean;
  payload(event: string, tool: Tool): Payload;
}

function strictJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}

/** True when an entry of the file starts our program for this event and tool, and waits for it. */
function startsUs({ hooks }: Payload, event: string, tool: unknown): boolean {
  const groups: unknown = isRecord(hooks) ? hooks[event] : [];
  return (Array.isArray(groups) ? groups : []).some((group) => {
    const fits = tool === undefined || matches(group.matcher, String(tool));
    return (
      fits &&
      group.hooks.some(
        (one: Readonly<Record<string, unknown>>) =>
          one.type === "command" && one.async !== true && isHookCommand(one.command),
      )
    );
  });
}

/** Names are compared whole; anything else is a pattern. */
function matches(matcher: unknown, tool: string): boolean {
  const text = String(matcher ?? "*");
  if (text === "" || text === "*") return true;
  return /^[\w|-]+$/.test(text) ? text.split("|").includes(tool) : new RegExp(text).test(tool);
}

const CLAUDE_CALLS = {
  shell: { tool_name: "Bash", tool_input: { command: "ls" } },
  reads: { tool_name: "Read", tool_input: { file_path: "a" } },
};

const GEMINI_CALLS = {
  shell: { tool_name: "run_shell_command", tool_input: { command: "ls" } },
  reads: { tool_name: "read_file", tool_input: { file_path: "a" } },
};

export const CLAUDE: DrivenAgent = {
  name: "claude",
  settings: [
    "project/.claude/settings.json",
    "project/.claude/settings.local.json",
    "home/.claude/settings.json",
  ],
  events: ["PreToolUse", "PostToolUse", "UserPromptSubmit", "SessionStart", "Stop"],
  off: ({ disableAllHooks }) => disableAllHooks === true,
  payload: (event, tool) => ({
    ...(event.endsWith("ToolUse") ? { tool_use_id: "t", ...CLAUDE_CALLS[tool] } : {}),
    ...(event === "PostToolUse" ? { tool_response: { stdout: "" } } : {}),
    ...(event === "UserPromptSubmit" ? { prompt: "Go." } : {}),
    ...(event === "SessionStart" ? { source: "startup" } : {}),
    ...(event === "Stop" ? { stop_hook_active: false } : {}),
  }),
};

export const GEMINI: DrivenAgent = {
  name: "gemini",
  settings: ["project/.gemini/settings.json", "home/.gemini/settings.json"],
  trust: "home/.gemini/trustedFolders.json",
  events: ["BeforeTool", "AfterTool", "BeforeAgent", "SessionStart", "AfterAgent"],
  off: () => false,
  payload: (event, tool) => ({
    timestamp: "2026-01-01T00:00:00Z",
    ...(event.endsWith("Tool") ? GEMINI_CALLS[tool] : {}),
    ...(event === "AfterTool" ? { tool_response: { llmContent: "" } } : {}),
    ...(event === "BeforeAgent" ? { prompt: "Go." } : {}),
    ...(event === "SessionStart" ? { source: "startup" } : {}),
    ...(event === "AfterAgent" ? { prompt: "Go.", prompt_response: "Done.", stop_hook_active: false } : {}),
  }),
};
