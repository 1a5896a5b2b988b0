import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { type Driver, scripted } from "../../../src/know/prove/driver.ts";
import { claudeDriver } from "../../../src/know/prove/drivers/claude.ts";
import { codexDriver, configureCodex } from "../../../src/know/prove/drivers/codex.ts";
import { type ServerRequest, startModelServer } from "../../../src/know/prove/model/model-server.ts";
import type { Project } from "../../cli/support/project.ts";
import { knownUser } from "./claude.ts";
import { type Step, startedBy, watchAs } from "./client.ts";
import { type ClientName, clientProgram } from "./install-clients.ts";
import { atDesk, type Desk } from "./tmux.ts";

/** A real agent on a terminal, which was given its task. */
export interface AgentAtDesk extends Desk {
  /** Every text that the model was sent in the last request of the conversation. */
  lastSent(): string;
}

interface DeskRun {
  readonly project: Project;
  readonly script?: readonly Step[];
  readonly model?: (request: ServerRequest) => Step;
  readonly mode?: string;
}

const MOST_REQUESTS = 1000;
/** Both programs ignore what is typed before they have drawn their prompt. */
const SETTLE_MILLISECONDS = 1500;

async function started(
  name: ClientName,
  driver: Driver,
  { project, script = [], model }: DeskRun,
  prepared: (server: { readonly url: string; readonly key: string }) => readonly string[],
  prompt: string | RegExp,
): Promise<AgentAtDesk> {
  const { reply, requests } = scripted(driver, { steps: script }, model);
  const server = await startModelServer(driver.protocol, new Array(MOST_REQUESTS).fill(reply));
  onTestFinished(() => server.close());
  const args = prepared(server);
  const { cwd, folder, environment } = project;
  const { variables } = driver.command({ root: cwd, cwd, home: "", environment, prompt: "", model: server });
  const desk = atDesk(startedBy(watchAs("desk"), clientProgram(name), args), {
    folder,
    cwd,
    environment: { ...environment, ...variables, TERM: "xterm-256color", SHELL: "/bin/bash" },
  });
  await desk.shows(prompt);
  await sleep(SETTLE_MILLISECONDS);
  desk.types("Begin.");
  await desk.shows("Begin.");
  await sleep(SETTLE_MILLISECONDS);
  desk.presses("Enter");
  return {
    ...desk,
    lastSent: () => {
      const { messages, input } = requests.at(-1)?.body ?? {};
      return JSON.stringify(messages ?? input ?? []);
    },
  };
}

/** Claude Code on a terminal, under the monitor. */
export function claudeAtDesk(run: DeskRun): Promise<AgentAtDesk> {
  const { project, mode = "default" } = run;
  return started(
    "claude",
    claudeDriver,
    run,
    ({ key }) => {
      knownUser(project, project.cwd, key);
      return ["--permission-mode", mode];
    },
    "❯",
  );
}

/** Codex on a terminal, under the monitor, in a sandbox that it asks to leave. */
export function codexAtDesk(run: DeskRun): Promise<AgentAtDesk> {
  const { project } = run;
  return started(
    "codex",
    codexDriver,
    run,
    ({ url }) => {
      const folder = join(project.environment.HOME ?? project.folder, ".codex");
      const file = join(folder, "config.toml");
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, `[projects."${project.cwd}"]\ntrust_level = "trusted"\n`);
      configureCodex(file, url);
      return [
        ...["-c", 'approval_policy="on-request"', "-c", 'sandbox_mode="workspace-write"'],
        ...["-c", "features.plugins=false"],
      ];
    },
    /Ask Codex|›/,
  );
}
