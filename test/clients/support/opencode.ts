import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { type ChatModel, startChatModel } from "./chat-model.ts";
import type { Client, ClientResult, ClientRun } from "./client.ts";
import { clientProgram } from "./install-clients.ts";
import { runProgram, writeJson } from "./run-program.ts";

/** opencode for the scenarios of all agents. */
export const OPENCODE: Client = {
  agent: "opencode",
  title: "opencode",
  shell: (line) => [["bash", { command: line, description: "Work" }]],
  startSubagent: (prompt) => [["task", { description: "Make a file", prompt, subagent_type: "general" }]],
  run: runOpencode,
};

/** Runs the real opencode against a model that says what the script has. */
async function runOpencode(given: ClientRun): Promise<ClientResult & { readonly stderr: string }> {
  const { project, prompt = "Go.", cwd = project.cwd } = given;
  const model = await startChatModel(given);
  const config = join(project.environment.XDG_CONFIG_HOME ?? project.folder, "opencode");
  writeJson(join(config, "opencode.json"), opencodeConfig(model));
  for (const folder of [config, join(project.cwd, ".opencode")]) seedFolder(folder);
  const { code, stderr } = await runProgram(
    clientProgram("opencode"),
    ["run", "--format", "json", "--print-logs"],
    {
      cwd,
      stdin: prompt,
      env: {
        ...project.environment,
        // It believes this more than the folder it is in.
        PWD: cwd,
        SHELL: "/bin/bash",
        OPENCODE_DISABLE_AUTOUPDATE: "1",
        OPENCODE_DISABLE_MODELS_FETCH: "1",
        OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
        OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
      },
    },
  );
  return { code, stderr, requests: model.requests, lastSent: model.lastSent() };
}

/** A configuration that knows only the scripted model. */
export function opencodeConfig({ url, key }: ChatModel): object {
  return {
    autoupdate: false,
    share: "disabled",
    model: "scripted/model",
    small_model: "scripted/model",
    enabled_providers: ["scripted"],
    provider: {
      scripted: {
        npm: "@ai-sdk/openai-compatible",
        name: "Scripted",
        options: { baseURL: url, apiKey: key },
        models: { model: { name: "Model", tool_call: true, limit: { context: 100_000, output: 4096 } } },
      },
    },
  };
}

/** Where it finds these, it installs no package at its start. */
export function seedFolder(folder: string): void {
  if (!existsSync(folder)) return;
  const dependencies = { "@opencode-ai/plugin": "*" };
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  writeJson(join(folder, "package.json"), { dependencies });
  writeJson(join(folder, "package-lock.json"), { lockfileVersion: 3, packages: { "": { dependencies } } });
}
