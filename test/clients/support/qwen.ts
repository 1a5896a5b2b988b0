import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import {
  type ServerReply,
  type ServerRequest,
  startModelServer,
} from "../../../src/know/prove/model/model-server.ts";
import { OPENAI_CHAT } from "../../support/model-servers/openai-chat-server.ts";
import type { Client, ClientResult, ClientRun, Step } from "./client.ts";
import { clientPackage, clientProgram } from "./install-clients.ts";
import { writeJson } from "./run-program.ts";

/** Qwen Code, with everything allowed that hooks do not refuse. */
export const QWEN: Client = {
  agent: "qwen",
  title: "Qwen Code",
  installOptions: ["--scope", "user"],
  shell: (line) => [["run_shell_command", { command: line, description: "Run it", is_background: false }]],
  startSubagent: (prompt) => [["agent", { description: "Do it", prompt, subagent_type: "general-purpose" }]],
  run: runQwen,
};

const MOST_REQUESTS = 200;

async function runQwen(run: ClientRun): Promise<ClientResult> {
  const { project, script = [], subagent, prompt = "Go.", cwd = project.cwd } = run;
  const steps = [...script];
  const others = [...(subagent?.script ?? [])];
  const requests: ServerRequest[] = [];
  const reply = (request: ServerRequest): ServerReply => {
    const { tools, messages } = request.body;
    if (!Array.isArray(tools) || tools.length === 0) return { text: "{}" };
    const sent: readonly unknown[] = Array.isArray(messages) ? messages : [];
    const first = JSON.stringify(sent.find((message) => Object(message).role === "user"));
    const isOther = subagent !== undefined && first.includes(subagent.word);
    requests.push(request);
    return replyOf((isOther ? others : steps).shift() ?? "done", requests.length);
  };
  const server = await startModelServer(OPENAI_CHAT, new Array(MOST_REQUESTS).fill(reply));
  onTestFinished(() => server.close());
  writeJson(join(project.environment.HOME ?? "", ".qwen/settings.json"), QUIET);
  const program = join(clientPackage("qwen"), "cli-entry.js");
  const mode = ["--auth-type", "openai", "-m", "scripted", "--approval-mode", "yolo", "-o", "stream-json"];
  const child = spawn(clientProgram("qwen"), [program, "-p", prompt, ...mode], {
    cwd,
    env: {
      ...project.environment,
      LANG: "C.UTF-8",
      TERM: "dumb",
      SHELL: "/bin/bash",
      OPENAI_API_KEY: server.key,
      OPENAI_BASE_URL: server.url,
      OPENAI_MODEL: "scripted",
      QWEN_CODE_NO_RELAUNCH: "true",
    },
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  child.stdin.end();
  child.stdout.resume();
  const [, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  const lastSent = JSON.stringify(requests.at(-1)?.body.messages ?? []);
  return { code, requests, lastSent };
}

/** Keeps it quiet, next to what we wrote into the user's settings. */
const QUIET = {
  security: { auth: { selectedType: "openai" } },
  general: { disableAutoUpdate: true, enableAutoUpdate: false },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
};

function replyOf(step: Step, number: number): ServerReply {
  if (typeof step === "string") return { text: step };
  return { tool_calls: step.map(([name, input], index) => ({ id: `call_${number}_${index}`, name, input })) };
}
