import { join } from "node:path";
import { geminiDriver } from "../../../src/know/prove/drivers/gemini.ts";
import type { Client, ClientResult, ClientRun } from "./client.ts";
import { clientProgram } from "./install-clients.ts";
import { runDriver } from "./run-driver.ts";
import { writeJson } from "./run-program.ts";

/** What became of a run, with what the user read. */
export interface GeminiResult extends ClientResult {
  readonly stdout: string;
  readonly stderr: string;
}

/** Gemini CLI, with everything allowed that hooks do not refuse. */
export const GEMINI: Omit<Client, "run"> & { run(given: GeminiRun): Promise<GeminiResult> } = {
  title: "Gemini CLI",
  installOptions: ["--user"],
  ...geminiDriver,
  run: runGemini,
};

export interface GeminiRun extends ClientRun {
  /** More settings, next to those that keep it quiet. */
  readonly settings?: object;
}

async function runGemini(run: GeminiRun): Promise<GeminiResult> {
  const { HOME = "" } = run.project.environment;
  writeJson(join(HOME, ".gemini/settings.json"), { ...TRUSTED, ...run.settings });
  return runDriver(geminiDriver, [process.execPath, clientProgram("gemini")], run);
}

/** The projects of tests are in no list of trusted folders. */
const TRUSTED = { security: { folderTrust: { enabled: false } } };
