import { join } from "node:path";
import { startChatModel } from "./chat-model.ts";
import type { Client, ClientResult, ClientRun } from "./client.ts";
import { clientProgram } from "./install-clients.ts";
import { opencodeConfig, seedFolder } from "./opencode.ts";
import { runProgram, writeJson } from "./run-program.ts";

/** Kilo for the scenarios of all agents. */
export const KILO: Client = {
  agent: "kilo",
  title: "Kilo",
  shell: (line) => [["bash", { command: line, description: "Work" }]],
  startSubagent: (prompt) => [["task", { description: "Make a file", prompt, subagent_type: "general" }]],
  run: runKilo,
};

/** Runs the real Kilo against a model that says what the script has. */
async function runKilo(given: ClientRun): Promise<ClientResult & { readonly stderr: string }> {
  const { project, prompt = "Go.", cwd = project.cwd } = given;
  const model = await startChatModel(given);
  writeJson(join(project.cwd, "kilo.json"), { ...opencodeConfig(model), permission: { "*": "allow" } });
  seedFolder(join(project.cwd, ".kilo"));
  const { code, stderr } = await runProgram(
    clientProgram("kilo"),
    ["run", "--format", "json", "-m", "scripted/model", prompt],
    {
      cwd,
      env: {
        ...project.environment,
        PWD: cwd,
        SHELL: "/bin/bash",
        DO_NOT_TRACK: "1",
        KILO_DISABLE_AUTOUPDATE: "1",
        KILO_DISABLE_MODELS_FETCH: "1",
      },
    },
  );
  return { code, stderr, requests: model.requests, lastSent: model.lastSent() };
}
