import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { isRecord } from "../../../src/core/base/json.ts";
import { scripted } from "../../../src/know/prove/driver.ts";
import { claudeDriver } from "../../../src/know/prove/drivers/claude.ts";
import { ANTHROPIC } from "../../../src/know/prove/model/anthropic-server.ts";
import { type ServerRequest, startModelServer } from "../../../src/know/prove/model/model-server.ts";
import type { Project } from "../../cli/support/project.ts";
import { type Client, installInto, type Step, scriptOf, startedBy } from "./client.ts";
import { clientProgram } from "./install-clients.ts";

/** Claude Code for the scenarios of all agents. */
export const CLAUDE: Client = {
  title: "Claude Code",
  // It reads a project's settings only in the project's own folder.
  installOptions: ["--user"],
  ...claudeDriver,
  run: (given) => runClaude(given),
};

/** How Claude Code is run. */
export interface ClaudeRun {
  readonly project: Project;
  /** What the model says, request for request; then it says "done". */
  readonly script?: readonly Step[];
  /** What the model says to a request of the conversation, in place of a script. */
  readonly model?: (request: ServerRequest) => Step;
  /** What it answers when a hook asks for a verdict. Default: no objection. */
  readonly verdict?: string;
  /** The same for a subagent, which is known by a word of its first message. */
  readonly subagent?: { readonly word: string; readonly script: readonly Step[] };
  readonly prompt?: string;
  readonly args?: readonly string[];
  /** The folder it starts in. Default: the project. */
  readonly cwd?: string;
  readonly mode?: "auto" | "bypassPermissions" | "default" | "plan";
  /** A command that starts it: `tenterhook run --`. */
  readonly through?: readonly string[];
  /** Answers lines it writes, for a host that talks to it; without it the prompt is an argument. */
  readonly host?: (message: Readonly<Record<string, unknown>>, child: ChildProcessWithoutNullStreams) => void;
  /** Runs it on a terminal: what its user waits for, and what he types then. */
  readonly typed?: readonly (readonly [shown: string, typed: string])[];
}

/** What became of it. */
export interface ClaudeResult {
  readonly code: unknown;
  /** The requests of the conversation, without those for titles and the like. */
  readonly requests: readonly ServerRequest[];
  /** The other requests: for titles, verdicts and summaries. */
  readonly others: readonly ServerRequest[];
  /** What it wrote, line by line. */
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  /** Every text the model was sent in the last request. */
  readonly lastSent: string;
  readonly stderr: string;
}

const MOST_REQUESTS = 1000;

/** Trusts these hooks, and installs us for them into Claude Code. */
export async function installHooks(
  project: Project,
  hooks: readonly object[],
  { scope = "project", more = {} }: { readonly scope?: string; readonly more?: object } = {},
): Promise<void> {
  await installInto("claude", project, hooks, { options: [`--${scope}`], more });
}

/** Runs the real Claude Code against a model that says what the script has. */
export async function runClaude(run: ClaudeRun): Promise<ClaudeResult> {
  const { project, prompt = "Go.", args = [], cwd = project.cwd, host } = run;
  const driver = { ...claudeDriver, aside: run.verdict ?? claudeDriver.aside };
  const { reply, requests, asides: others } = scripted(driver, scriptOf(run), run.model);
  const server = await startModelServer(ANTHROPIC, new Array(MOST_REQUESTS).fill(reply));
  onTestFinished(() => server.close());
  const mode = run.mode ?? "bypassPermissions";
  const format = ["--output-format", "stream-json", "--verbose", "--permission-mode", mode];
  const asked =
    host === undefined ? [prompt] : ["--input-format", "stream-json", "--permission-prompt-tool", "stdio"];
  const argv = run.typed === undefined ? ["-p", ...asked, ...format, ...args] : args;
  const started = startedBy(run.through, clientProgram("claude"), argv);
  if (run.typed !== undefined) knownUser(project, cwd, server.key);
  const child = spawn(...(run.typed === undefined ? started : onTerminal(run.typed, started)), {
    cwd,
    env: {
      ...project.environment,
      ...claudeDriver.command({ root: cwd, cwd, home: "", environment: {}, prompt, model: server }).variables,
      TERM: run.typed === undefined ? "dumb" : "xterm-256color",
      SHELL: "/bin/bash",
    },
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const messages: Readonly<Record<string, unknown>>[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message: unknown = line.startsWith("{") ? JSON.parse(line) : undefined;
    if (!isRecord(message)) return;
    messages.push(message);
    host?.(message, child);
  });
  if (host === undefined) child.stdin.end();
  else say(child, { type: "user", message: { role: "user", content: prompt } });
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  const lastSent = JSON.stringify(requests.at(-1)?.body.messages ?? []);
  return { code, requests, others, messages, lastSent, stderr };
}

const TERMINAL = fileURLToPath(new URL("../../cli/support/in-terminal.py", import.meta.url));

function onTerminal(
  typed: NonNullable<ClaudeRun["typed"]>,
  [program, args]: ReturnType<typeof startedBy>,
): ReturnType<typeof startedBy> {
  return ["python3", [TERMINAL, JSON.stringify(typed), program, ...args]];
}

/** Somebody whom Claude Code has asked everything that it asks at its first start. */
export function knownUser(project: Project, cwd: string, key: string): void {
  const trusted = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true };
  const known = {
    hasCompletedOnboarding: true,
    lastOnboardingVersion: "9.9.9",
    theme: "dark",
    customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] },
    projects: { [cwd]: trusted },
  };
  project.write("../home/.claude.json", JSON.stringify(known));
}

/** Says something to a Claude Code that listens to its host. */
export function say(child: ChildProcessWithoutNullStreams, message: object): void {
  child.stdin.write(`${JSON.stringify(message)}\n`);
}
