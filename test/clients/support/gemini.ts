import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { GEMINI as PROTOCOL } from "../../../src/know/prove/model/gemini-server.ts";
import {
  type ServerReply,
  type ServerRequest,
  startModelServer,
} from "../../../src/know/prove/model/model-server.ts";
import { type Client, type ClientResult, type ClientRun, type Step, startedBy } from "./client.ts";
import { clientProgram } from "./install-clients.ts";
import { writeJson } from "./run-program.ts";

/** What became of a run, with what the user read. */
export interface GeminiResult extends ClientResult {
  readonly stdout: string;
  readonly stderr: string;
}

/** Gemini CLI, with everything allowed that hooks do not refuse. */
export const GEMINI: Omit<Client, "run"> & { run(given: GeminiRun): Promise<GeminiResult> } = {
  agent: "gemini",
  title: "Gemini CLI",
  installOptions: ["--scope", "user"],
  shell: (line) => [["run_shell_command", { command: line, description: "Run it" }]],
  startSubagent: (prompt) => [["invoke_agent", { agent_name: "generalist", prompt }]],
  run: runGemini,
};

export interface GeminiRun extends ClientRun {
  /** More settings, next to those that keep it quiet. */
  readonly settings?: object;
}

const MOST_REQUESTS = 200;

async function runGemini(run: GeminiRun): Promise<GeminiResult> {
  const { project, script = [], subagent, prompt = "Go.", cwd = project.cwd, settings = {} } = run;
  const steps = [...script];
  const others = [...(subagent?.script ?? [])];
  const requests: ServerRequest[] = [];
  const reply = (request: ServerRequest): ServerReply => {
    const { tools, contents } = request.body;
    // It asks a model which model is to answer.
    if (!JSON.stringify(tools ?? "").includes("functionDeclarations"))
      return { text: '{"reasoning":"","model_choice":"flash","next_speaker":"user"}' };
    const [first] = Array.isArray(contents) ? contents : [];
    const isOther = subagent !== undefined && JSON.stringify(first).includes(subagent.word);
    requests.push(request);
    return replyOf((isOther ? others : steps).shift() ?? "done", requests.length);
  };
  const server = await startModelServer(PROTOCOL, new Array(MOST_REQUESTS).fill(reply));
  onTestFinished(() => server.close());
  writeJson(join(project.environment.HOME ?? "", ".gemini/settings.json"), { ...QUIET, ...settings });
  const args = ["-p", prompt, "-m", "gemini-2.5-flash", "--approval-mode", "yolo", "-o", "json"];
  const argv = [clientProgram("gemini"), ...args];
  const child = spawn(...startedBy(run.through, process.execPath, argv), {
    cwd,
    env: {
      ...project.environment,
      LANG: "C.UTF-8",
      TERM: "dumb",
      GEMINI_API_KEY: server.key,
      GOOGLE_GEMINI_BASE_URL: server.url.replace(PROTOCOL.base, ""),
      GEMINI_CLI_NO_RELAUNCH: "true",
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
  const lastSent = JSON.stringify(requests.at(-1)?.body.contents ?? []);
  return { code, requests, lastSent, stdout, stderr };
}

/** It reads system settings only from folders that nobody else can write to, so these stand in the user's. */
const QUIET = {
  security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { enableAutoUpdate: false, disableAutoUpdate: true },
};

function replyOf(step: Step, number: number): ServerReply {
  if (typeof step === "string") return { text: step };
  return { tool_calls: step.map(([name, input], index) => ({ id: `call_${number}_${index}`, name, input })) };
}
