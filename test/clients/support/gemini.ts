import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { scripted } from "../../../src/know/prove/driver.ts";
import { geminiDriver } from "../../../src/know/prove/drivers/gemini.ts";
import { GEMINI as PROTOCOL } from "../../../src/know/prove/model/gemini-server.ts";
import { startModelServer } from "../../../src/know/prove/model/model-server.ts";
import { type Client, type ClientResult, type ClientRun, scriptOf, startedBy } from "./client.ts";
import { clientProgram } from "./install-clients.ts";
import { writeJson } from "./run-program.ts";

/** What became of a run, with what the user read. */
export interface GeminiResult extends ClientResult {
  readonly stdout: string;
  readonly stderr: string;
}

/** Gemini CLI, with everything allowed that hooks do not refuse. */
export const GEMINI: Omit<Client, "run"> & { run(given: GeminiRun): Promise<GeminiResult> } = {
  title: "Gemini CLI",
  installOptions: ["--scope", "user"],
  ...geminiDriver,
  run: runGemini,
};

export interface GeminiRun extends ClientRun {
  /** More settings, next to those that keep it quiet. */
  readonly settings?: object;
}

const MOST_REQUESTS = 200;

async function runGemini(run: GeminiRun): Promise<GeminiResult> {
  const { project, prompt = "Go.", cwd = project.cwd, settings = {} } = run;
  const { reply, requests } = scripted(geminiDriver, scriptOf(run));
  const server = await startModelServer(PROTOCOL, new Array(MOST_REQUESTS).fill(reply));
  onTestFinished(() => server.close());
  const home = project.environment.HOME ?? "";
  const started = { cwd, home, prompt, model: server };
  writeJson(join(home, ".gemini/settings.json"), { ...TRUSTED, ...settings });
  geminiDriver.configure?.(started);
  const { args, variables } = geminiDriver.command(started);
  const argv = [clientProgram("gemini"), ...args];
  const child = spawn(...startedBy(run.through, process.execPath, argv), {
    cwd,
    env: { ...project.environment, ...variables },
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

/** The projects of tests are in no list of trusted folders. */
const TRUSTED = { security: { folderTrust: { enabled: false } } };
