import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Driver } from "../../../src/know/prove/driver.ts";
import { codexDriver, configureCodex } from "../../../src/know/prove/drivers/codex.ts";
import type { ServerRequest } from "../../../src/know/prove/model/model-server.ts";
import type { Client, ClientResult, ClientRun } from "./client.ts";
import { clientProgram } from "./install-clients.ts";
import { runDriver } from "./run-driver.ts";

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

/** Runs the real `codex exec` against a model that says what the script has. */
export async function runCodex(run: CodexRun): Promise<CodexResult> {
  const { args: more = [], model = "mock-model" } = run;
  const driver: Driver = {
    ...codexDriver,
    configure: ({ home, model: { url } }) => {
      mkdirSync(join(home, ".codex"), { recursive: true });
      const file = join(home, ".codex/config.toml");
      configureCodex(file, url, model);
      // Its user has trusted the folder; else it reads nothing of the project.
      appendFileSync(file, `\n[projects.${JSON.stringify(run.project.cwd)}]\ntrust_level = "trusted"\n`);
    },
    command: (started) => {
      const { args, ...rest } = codexDriver.command(started);
      return { args: args.toSpliced(-1, 0, ...more), ...rest };
    },
  };
  return runDriver(driver, [clientProgram("codex")], { prompt: "begin", ...run });
}
