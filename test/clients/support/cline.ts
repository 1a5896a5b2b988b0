import { join } from "node:path";
import { startChatModel } from "./chat-model.ts";
import type { Client, ClientResult, ClientRun } from "./client.ts";
import { clientProgram } from "./install-clients.ts";
import { runProgram, writeJson } from "./run-program.ts";

/** Cline for the scenarios of all agents. Without a terminal it approves every tool that hooks do not refuse. */
export const CLINE: Client = {
  agent: "cline",
  title: "Cline",
  shell: (line) => [["run_commands", { commands: [line] }]],
  startSubagent: (prompt) => [["spawn_agent", { systemPrompt: "You help.", task: prompt }]],
  run: runCline,
};

/** What became of a run. */
export interface ClineResult extends ClientResult {
  /** How it ended, in its own words: `completed`, or `aborted` by a hook. */
  readonly finish: unknown;
}

/** Runs the real Cline against a model that says what the script has. */
export async function runCline(given: ClientRun): Promise<ClineResult> {
  const { project, prompt = "Go.", cwd = project.cwd } = given;
  const { HOME = project.folder } = project.environment;
  const model = await startChatModel(given);
  const settings = {
    provider: "openai-compatible",
    apiKey: model.key,
    model: "scripted",
    baseUrl: model.url,
  };
  writeJson(join(HOME, ".cline/data/settings/providers.json"), {
    version: 1,
    lastUsedProvider: "openai-compatible",
    modes: {},
    providers: {
      "openai-compatible": { settings, updatedAt: "2026-01-01T00:00:00.000Z", tokenSource: "manual" },
    },
  });
  // It takes a single word for one of its own commands.
  const { code, stdout } = await runProgram(clientProgram("cline"), ["--json", `Please ${prompt}`], {
    cwd,
    env: {
      ...project.environment,
      PWD: cwd,
      SHELL: "/bin/bash",
      USER: "dev",
      CLINE_NO_AUTO_UPDATE: "1",
      CLINE_NO_INTERACTIVE: "1",
      // Otherwise it leaves a process behind that others share.
      CLINE_SESSION_BACKEND_MODE: "local",
    },
  });
  const [, finish] = /"finishReason":"(\w+)"/.exec(stdout) ?? [];
  return { code, finish, requests: model.requests, lastSent: model.lastSent() };
}
