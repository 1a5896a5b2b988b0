import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import {
  type ServerReply,
  type ServerRequest,
  startModelServer,
} from "../../../src/know/prove/model/model-server.ts";
import { OPENAI_RESPONSES } from "../../../src/know/prove/model/openai-responses-server.ts";
import { type Client, type ClientResult, type ClientRun, type Step, startedBy } from "./client.ts";
import { clientProgram } from "./install-clients.ts";

/** How Codex is run. */
export interface CodexRun extends ClientRun {
  readonly args?: readonly string[];
  /** A model whose tools Codex knows: `gpt-5.5` has apply_patch. */
  readonly model?: string;
}

export interface CodexResult extends ClientResult {
  readonly requests: readonly ServerRequest[];
  readonly stdout: string;
  readonly stderr: string;
}

/** Codex for the scenarios of all agents. */
export const CODEX: Client = {
  agent: "codex",
  title: "Codex",
  installOptions: ["--trust"],
  shell: (line) => [["exec_command", { cmd: line }]],
  startSubagent: (message) => [["multi_agent_v1.spawn_agent", { message, agent_type: "worker" }]],
  run: (given) => runCodex(given),
};

const MOST_REQUESTS = 1000;
/** Otherwise it looks for plug-ins on the network. */
const QUIET = ["-c", "features.plugins=false"];
const MOST_MILLISECONDS = 90_000;

/** Runs the real `codex exec` against a model that says what the script has. */
export async function runCodex(run: CodexRun): Promise<CodexResult> {
  const { project, script = [], subagent, prompt = "begin", cwd = project.cwd, args = [] } = run;
  const steps = [...script];
  const others = [...(subagent?.script ?? [])];
  const requests: ServerRequest[] = [];
  let subagentEnds = (): void => {};
  const subagentEnded = new Promise<void>((resolve) => {
    subagentEnds = resolve;
  });
  const reply = (request: ServerRequest): ServerReply => {
    requests.push(request);
    const isOther = subagent !== undefined && isSubagent(request, subagent.word);
    const step = (isOther ? others : steps).shift();
    if (isOther && step === undefined) subagentEnds();
    const answer = replyOf(step ?? "done", requests.length);
    // Codex ends with its first conversation, whatever its subagents are doing.
    return subagent !== undefined && !isOther && step === undefined
      ? { ...answer, after: subagentEnded }
      : answer;
  };
  const server = await startModelServer(OPENAI_RESPONSES, new Array(MOST_REQUESTS).fill(reply));
  onTestFinished(() => server.close());
  const home = join(project.environment.HOME ?? project.folder, ".codex");
  mkdirSync(home, { recursive: true });
  configure(join(home, "config.toml"), server.url, run.model ?? "mock-model");
  const argv = ["exec", "--json", "--skip-git-repo-check", "-C", cwd, ...QUIET, ...args, prompt];
  const child = spawn(...startedBy(run.through, clientProgram("codex"), argv), {
    cwd,
    env: {
      ...project.environment,
      SHELL: "/bin/bash",
      CODEX_TEST_KEY: server.key,
      // Nothing leaves this machine.
      HTTPS_PROXY: "http://127.0.0.1:9",
      NO_PROXY: "127.0.0.1,localhost",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), MOST_MILLISECONDS);
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  clearTimeout(timer);
  return { code, requests, lastSent: JSON.stringify(requests.at(-1)?.body.input ?? []), stdout, stderr };
}

/** Puts the model in front of what `install --trust` recorded. */
function configure(file: string, url: string, model: string): void {
  const recorded = read(file);
  writeFileSync(
    file,
    `model = "${model}"
model_provider = "test"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.test]
name = "test"
base_url = "${url}"
env_key = "CODEX_TEST_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false

${recorded}`,
  );
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** A subagent's conversation begins with the message it was started with. */
function isSubagent({ body }: ServerRequest, word: string): boolean {
  const items: readonly unknown[] = Array.isArray(body.input) ? body.input : [];
  const own = items.filter((item) => JSON.stringify(item).includes('"role":"user"'));
  return JSON.stringify(own).includes(word);
}

function replyOf(step: Step, number: number): ServerReply {
  if (typeof step === "string") return { text: step };
  return {
    tool_calls: step.map(([tool, input], index) => {
      const [name = "", namespace] = tool.split(".").toReversed();
      return {
        id: `call_${number}_${index}`,
        name,
        input,
        ...(namespace === undefined ? {} : { namespace }),
      };
    }),
  };
}
