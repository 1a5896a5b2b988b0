import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createHooks, type Hooks } from "tenterhook";
import { loadConfig } from "tenterhook/config";
import { expect, onTestFinished } from "vitest";
import { readPayload } from "../../../src/adapters/read-payload.ts";
import { applyConfig } from "../../../src/config/combine/apply.ts";
import { isRecord } from "../../../src/core/base/json.ts";
import { bashCall } from "../../support/events.ts";
import { type AtEnd, temporaryFolder } from "../../support/temporary-folder.ts";
import { trustProject } from "../../support/trust-project.ts";
import type { CallingAgent } from "./everyday-calls.ts";
import type { Call } from "./fixture-calls.ts";
import { runCli, userEnvironment } from "./run-cli.ts";

/** A project in which `init` was run. */
export interface InitProject {
  readonly hooks: Hooks;
  readonly home: string;
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Whether a call was stopped, by its tool and input: most calls of an agent are those of another in other words. */
  readonly decided: Map<string, boolean>;
}

/** The hooks of a project at `folder` of a home with these files, in which `init` was run, with `more` behind what it wrote. */
export async function initProject(
  folder: string,
  files: readonly string[],
  more = "",
  atEnd: AtEnd = onTestFinished,
): Promise<InitProject> {
  const parent = temporaryFolder(atEnd);
  const environment = userEnvironment(parent);
  const home = join(parent, "home");
  const cwd = join(home, folder);
  for (const file of files) {
    mkdirSync(dirname(join(home, file)), { recursive: true });
    writeFileSync(join(home, file), "x\n");
  }
  expect((await runCli(cwd, environment, "init", "--yes")).code).toBe(0);
  appendFileSync(join(cwd, ".tenterhook/hooks.yaml"), more);
  mkdirSync(join(parent, "state/tenterhook/monitor"), { recursive: true });
  writeFileSync(join(parent, "state/tenterhook/monitor/token"), "x\n");
  await trustProject(cwd, environment);
  const hooks = createHooks();
  await applyConfig(hooks, await loadConfig({ cwd, environment, managedFile: join(parent, "managed.yaml") }));
  return { hooks, home, cwd, environment, decided: new Map() };
}

/** Whether a call is asked about or refused. `$PROJECT` and `$HOME` in front of a path are the folders of the project. */
export async function isStopped(
  [tool_name, tool_input]: Call,
  { payload }: Pick<CallingAgent, "payload">,
  { hooks, home, cwd, environment, decided }: InitProject,
): Promise<boolean> {
  const text = JSON.stringify({ ...payload, tool_name, tool_input })
    .replaceAll("$PROJECT", cwd)
    .replaceAll(/"\$HOME\//g, `"${home}/`);
  const { event } = await readPayload(text, environment, cwd);
  const input = isRecord(event.tool_input) ? event.tool_input : {};
  const call = JSON.stringify([event.tool_name, input]);
  const known = decided.get(call);
  if (known !== undefined) return known;
  const { action } = await hooks.fire(
    bashCall("", { cwd, tool_name: String(event.tool_name), tool_input: input }),
  );
  const stopped = action === "ask" || action === "deny";
  decided.set(call, stopped);
  return stopped;
}
