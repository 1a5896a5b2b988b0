import { onTestFinished } from "vitest";
import { type Driver, type StartedAgent, scripted } from "../../../src/know/prove/driver.ts";
import { type ServerRequest, startModelServer } from "../../../src/know/prove/model/model-server.ts";
import { type ClientResult, type ClientRun, scriptOf, startedBy } from "./client.ts";
import { runProgram } from "./run-program.ts";

const MOST_REQUESTS = 1000;

export interface DriverResult extends ClientResult {
  readonly requests: readonly ServerRequest[];
  readonly stdout: string;
  readonly stderr: string;
}

/** The agent as `tenterhook prove` starts it; the model ends with the test. */
async function startModel(driver: Driver, given: ClientRun) {
  const { project, prompt = "Go.", cwd = project.cwd } = given;
  const { reply, requests } = scripted(driver, scriptOf(given));
  const server = await startModelServer(driver.protocol, new Array(MOST_REQUESTS).fill(reply));
  onTestFinished(() => server.close());
  const { environment } = project;
  const home = environment.HOME ?? project.folder;
  const started: StartedAgent = { root: project.cwd, cwd, home, environment, prompt, model: server };
  const lastSent = () => JSON.stringify(driver.conversation(requests.at(-1)?.body ?? {}) ?? []);
  return { started, requests, lastSent };
}

/** Runs the real agent as `tenterhook prove` does, against a model that says what the script has. */
export async function runDriver(
  driver: Driver,
  program: readonly [file: string, ...args: string[]],
  given: ClientRun,
): Promise<DriverResult> {
  const { started, requests, lastSent } = await startModel(driver, given);
  driver.configure?.(started);
  const { args, variables, stdin } = driver.command(started);
  const [file, ...first] = program;
  const { cwd, environment } = started;
  const { code, stdout, stderr } = await runProgram(...startedBy(given.through, file, [...first, ...args]), {
    cwd,
    env: { ...environment, SHELL: "/bin/bash", ...variables },
    ...(stdin === undefined ? {} : { stdin }),
  });
  return { code, stdout, stderr, requests, lastSent: lastSent() };
}
