import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { isRecord } from "../../../src/core/base/json.ts";
import {
  type ServerReply,
  type ServerRequest,
  startModelServer,
} from "../../../src/know/prove/model/model-server.ts";
import { OPENAI_CHAT } from "../../support/model-servers/openai-chat-server.ts";
import type { Client, ClientResult, ClientRun } from "./client.ts";
import { clientProgram } from "./install-clients.ts";

const MOST_REQUESTS = 200;
/** Copilot unpacks itself at its first start, which all runs share. */
const CACHE = join(tmpdir(), "tenterhook-copilot-cache");

/** Runs GitHub Copilot CLI without a login against a model that says what the script has. */
async function run(given: ClientRun): Promise<ClientResult> {
  const { project, script = [], subagent, prompt = "Go.", cwd = project.cwd } = given;
  // Copilot finds the project by asking git, and runs its hooks only where they are trusted.
  execFileSync("git", ["init", "--quiet"], { cwd: project.cwd });
  const { HOME = "", XDG_CACHE_HOME = "" } = project.environment;
  mkdirSync(CACHE, { recursive: true });
  mkdirSync(XDG_CACHE_HOME, { recursive: true });
  symlinkSync(CACHE, join(XDG_CACHE_HOME, "copilot"));
  mkdirSync(join(HOME, ".copilot"), { recursive: true });
  writeFileSync(join(HOME, ".copilot/config.json"), JSON.stringify({ trustedFolders: [project.cwd] }));
  const steps = [...script];
  const others = [...(subagent?.script ?? [])];
  const requests: ServerRequest[] = [];
  const reply = (request: ServerRequest): ServerReply => {
    const { messages, tools } = request.body;
    if (!Array.isArray(tools) || tools.length === 0) return { text: "A title" };
    const first = JSON.stringify(Array.isArray(messages) ? messages.find(isOfUser) : "");
    const isOther = subagent !== undefined && first.includes(subagent.word);
    requests.push(request);
    const step = (isOther ? others : steps).shift() ?? "done";
    if (typeof step === "string") return { text: step };
    const id = (index: number): string => `call_${requests.length}_${index}`;
    return { tool_calls: step.map(([name, input], index) => ({ id: id(index), name, input })) };
  };
  const server = await startModelServer(OPENAI_CHAT, new Array(MOST_REQUESTS).fill(reply));
  onTestFinished(() => server.close());
  const allowed = ["--allow-all-tools", "--allow-all-paths", "--no-auto-update", "--no-color"];
  const child = spawn(clientProgram("copilot"), ["-p", prompt, ...allowed, "--output-format", "json"], {
    cwd,
    env: {
      ...project.environment,
      LANG: "C.UTF-8",
      TERM: "dumb",
      SHELL: "/bin/bash",
      CI: "1",
      COPILOT_OFFLINE: "true",
      COPILOT_AUTO_UPDATE: "false",
      COPILOT_PROVIDER_BASE_URL: server.url,
      COPILOT_PROVIDER_TYPE: "openai",
      COPILOT_PROVIDER_API_KEY: server.key,
      COPILOT_MODEL: "scripted",
    },
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  child.stdin.end();
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  if (stdout === "" && requests.length === 0 && code !== 1)
    throw new Error(`Copilot ended with ${code}. ${stderr}`);
  return { code, requests, lastSent: JSON.stringify(requests.at(-1)?.body.messages ?? []) };
}

function isOfUser(message: unknown): boolean {
  return isRecord(message) && message.role === "user";
}

export const COPILOT: Client = {
  agent: "copilot",
  title: "GitHub Copilot CLI",
  shell: (line) => [["bash", { command: line, description: "Run it" }]],
  failing: [["view", { path: "/no/such/file" }]],
  startSubagent: (prompt) => [
    ["task", { description: "Work", prompt, agent_type: "general-purpose", name: "worker" }],
  ],
  run,
};
