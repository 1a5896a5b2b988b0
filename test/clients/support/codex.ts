import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { scripted } from "../../../src/know/prove/driver.ts";
import { codexDriver, configureCodex } from "../../../src/know/prove/drivers/codex.ts";
import { type ServerRequest, startModelServer } from "../../../src/know/prove/model/model-server.ts";
import { OPENAI_RESPONSES } from "../../../src/know/prove/model/openai-responses-server.ts";
import { type Client, type ClientResult, type ClientRun, scriptOf, startedBy } from "./client.ts";
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
  title: "Codex",
  installOptions: ["--trust"],
  ...codexDriver,
  run: (given) => runCodex(given),
};

const MOST_REQUESTS = 1000;
const MOST_MILLISECONDS = 90_000;

/** Runs the real `codex exec` against a model that says what the script has. */
export async function runCodex(run: CodexRun): Promise<CodexResult> {
  const { project, prompt = "begin", cwd = project.cwd, args = [] } = run;
  const { reply, requests } = scripted(codexDriver, scriptOf(run));
  const server = await startModelServer(OPENAI_RESPONSES, new Array(MOST_REQUESTS).fill(reply));
  onTestFinished(() => server.close());
  const home = project.environment.HOME ?? project.folder;
  mkdirSync(join(home, ".codex"), { recursive: true });
  configureCodex(join(home, ".codex/config.toml"), server.url, run.model);
  const { args: usual, variables } = codexDriver.command({ cwd, home, prompt, model: server });
  const argv = usual.toSpliced(-1, 0, ...args);
  const child = spawn(...startedBy(run.through, clientProgram("codex"), argv), {
    cwd,
    env: { ...project.environment, SHELL: "/bin/bash", ...variables },
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
