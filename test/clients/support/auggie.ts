import { createServer, type IncomingMessage } from "node:http";
import { json } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { isRecord } from "../../../src/core/base/json.ts";
import type { Client, ClientResult, ClientRun, Step } from "./client.ts";
import { clientProgram } from "./install-clients.ts";
import { runProgram } from "./run-program.ts";

type Body = Readonly<Record<string, unknown>>;

/** Numbers of its protocol: the kinds of nodes, and why a reply ends. */
const NODE = { text: 0, call: 5 };
const STOP = { text: 1, call: 3 };

/** Auggie, with a server that runs hooks and subagents. */
export const AUGGIE: Client = {
  agent: "auggie",
  title: "Auggie",
  shell: (line) => [["launch-process", { command: line, wait: true, max_wait_seconds: 20 }]],
  startSubagent: (prompt) => [["sub-agent-worker", { action: "run", name: "one", instruction: prompt }]],
  run: runAuggie,
};

/** Runs Auggie without a login against a server that says what the script has. */
export async function runAuggie(given: ClientRun, flags: object = {}): Promise<ClientResult> {
  const { project, prompt = "Go.", cwd = project.cwd } = given;
  project.write(
    ".augment/agents/worker.md",
    "---\nname: worker\ndescription: Does what it is told.\n---\nDo it.\n",
  );
  const server = await startServer(given, cwd, { ...FLAGS, ...flags });
  const { url, requests } = server;
  const { code } = await runProgram(
    process.execPath,
    [clientProgram("auggie"), "--print", prompt, "--output-format", "json", "--dont-save-session"],
    {
      cwd,
      env: {
        ...project.environment,
        LANG: "C.UTF-8",
        TERM: "dumb",
        SHELL: "/bin/bash",
        AUGMENT_DISABLE_AUTO_UPDATE: "1",
        AUGMENT_SESSION_AUTH: JSON.stringify({
          accessToken: "none",
          tenantURL: url,
          scopes: ["read", "write"],
        }),
      },
    },
  );
  return { code, requests, lastSent: JSON.stringify(requests.at(-1) ?? {}) };
}

/** Augment's server on this machine, which says what a script has. It ends with the test. */
async function startServer({ script = [], subagent }: ClientRun, cwd: string, feature_flags: object) {
  const steps = [...script];
  const others = [...(subagent?.script ?? [])];
  const requests: Body[] = [];
  const reply = (body: Body): string => {
    if (!Array.isArray(body.tool_definitions) || body.tool_definitions.length === 0)
      return lines("A title", 0, cwd);
    const isOther = subagent !== undefined && firstText(body).includes(subagent.word);
    requests.push(body);
    return lines((isOther ? others : steps).shift() ?? "done", requests.length, cwd);
  };
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      response.setHeader("content-type", "application/json");
      if (request.url?.includes("get-models"))
        return response.end(JSON.stringify({ ...MODELS, feature_flags }));
      if (request.url?.includes("list-remote-tools")) return response.end('{"tools":[]}');
      return response.end(request.url?.includes("chat-stream") ? reply(body) : "{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("A server has a port.");
  return { url: `http://127.0.0.1:${address.port}/`, requests };
}

const FLAGS = { enable_hooks: true, beachhead_enable_sub_agent_tool: true };
const MODELS = {
  default_model: "scripted",
  models: [{ name: "scripted", suggested_prefix_char_count: 0, suggested_suffix_char_count: 0 }],
  languages: [],
  user_tier: "ENTERPRISE_TIER",
  user: { id: "dev", email: "dev@example.com" },
};

/** A body that is no JSON says nothing. */
async function bodyOf(request: IncomingMessage): Promise<Body> {
  const body: unknown = await json(request).catch(() => ({}));
  return isRecord(body) ? body : {};
}

/** Where a conversation begins. */
function firstText({ chat_history, nodes, message }: Body): string {
  const [first]: readonly unknown[] = Array.isArray(chat_history) ? chat_history : [];
  return JSON.stringify([isRecord(first) ? first : nodes, message]);
}

/** One JSON object a line. Commands run in the folder that Auggie was started in. */
function lines(step: Step, number: number, cwd: string): string {
  const messages =
    typeof step === "string"
      ? [{ text: step, nodes: [{ id: 1, type: NODE.text, content: step }] }]
      : step.map(([tool_name, input], index) => {
          const input_json = JSON.stringify(tool_name === "launch-process" ? { cwd, ...input } : input);
          const tool_use = { tool_use_id: `call_${number}_${index}`, tool_name, input_json };
          return { text: "", nodes: [{ id: index + 1, type: NODE.call, content: "", tool_use }] };
        });
  const end = { text: "", stop_reason: typeof step === "string" ? STOP.text : STOP.call };
  return [...messages, end].map((line) => `${JSON.stringify(line)}\n`).join("");
}
