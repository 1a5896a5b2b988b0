import { join } from "node:path";
import { startChatModel } from "./chat-model.ts";
import type { Client, ClientResult, ClientRun } from "./client.ts";
import { clientProgram } from "./install-clients.ts";
import { runProgram, writeJson } from "./run-program.ts";

/** pi for the scenarios of all agents. */
export const PI: Client = {
  agent: "pi",
  title: "pi",
  shell: (line) => [["bash", { command: line }]],
  run: runPi,
};

/** Runs the real pi against a model that says what the script has. */
async function runPi(given: ClientRun): Promise<ClientResult & { readonly stderr: string }> {
  const { project, prompt = "Go.", cwd = project.cwd } = given;
  const { url, key, requests, lastSent } = await startChatModel(given);
  const settings = join(project.environment.HOME ?? project.folder, ".pi/agent");
  writeJson(join(settings, "models.json"), {
    providers: {
      scripted: {
        baseUrl: url,
        api: "openai-completions",
        apiKey: key,
        compat: { supportsDeveloperRole: false, supportsReasoningEffort: false },
        models: [
          {
            id: "model",
            name: "Model",
            reasoning: false,
            input: ["text"],
            contextWindow: 100_000,
            maxTokens: 4096,
            cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
          },
        ],
      },
    },
  });
  writeJson(join(settings, "settings.json"), {
    defaultProvider: "scripted",
    defaultModel: "model",
    quietStartup: true,
    retry: { enabled: false },
  });
  const { code, stderr } = await runProgram(
    process.execPath,
    [clientProgram("pi"), "--mode", "json", "--provider", "scripted", "--model", "model", prompt],
    {
      cwd,
      env: { ...project.environment, SHELL: "/bin/bash", PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1" },
    },
  );
  return { code, stderr, requests, lastSent: lastSent() };
}
