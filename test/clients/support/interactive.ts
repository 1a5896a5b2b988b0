import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import { stringify } from "yaml";
import type { Driver, StartedAgent } from "../../../src/know/prove/driver.ts";
import { CHAT } from "../../../src/know/prove/drivers/chat.ts";
import { claudeDriver } from "../../../src/know/prove/drivers/claude.ts";
import { codexDriver, configureCodex } from "../../../src/know/prove/drivers/codex.ts";
import { geminiDriver } from "../../../src/know/prove/drivers/gemini.ts";
import { type ServerReply, startModelServer } from "../../../src/know/prove/model/model-server.ts";
import type { Project } from "../../cli/support/project.ts";
import { CLI } from "../../cli/support/run-cli.ts";
import { eventually } from "../../support/processes.ts";
import { knownUser } from "./claude.ts";
import { installInto, watchAs } from "./client.ts";
import { type ClientName, clientProgram, isClient } from "./install-clients.ts";
import { type MonitoredProject, monitoredProject } from "./monitored.ts";
import { writeJson } from "./run-program.ts";
import { type Match, note, Timeline } from "./timeline.ts";
import { atDesk, type Desk } from "./tmux.ts";

/** How an agent is started for somebody who sits at its terminal. */
interface Row {
  readonly driver: Pick<Driver, "protocol" | "conversation" | "aside" | "command">;
  /** Its program; absent when it is installed by the tests. */
  readonly program?: (started: StartedAgent) => readonly string[];
  readonly argv: readonly string[];
  /** What its terminal shows when it takes a prompt. */
  readonly ready: RegExp;
  /** True when it takes no prompt before its session has begun, whatever it shows. */
  readonly startsFirst?: true;
  configure(started: StartedAgent, project: Project, monitor: object): Promise<void> | void;
}

/** The variables and arguments that our own agent needs are in its row. */
const ownDriver = { ...CHAT, command: () => ({ args: [], variables: {} }) };

/** The terminal agents whose states are compared with the truth. */
const ROWS = {
  claude: {
    driver: claudeDriver,
    argv: ["--permission-mode", "default", "--allowedTools", "Bash(sleep:*) Bash(sh:*) Agent"],
    ready: /❯/,
    configure: ({ cwd, model }, project) => knownUser(project, cwd, model.key),
  },
  codex: {
    driver: codexDriver,
    argv: [
      ...["-c", "features.plugins=false", "-c", 'approval_policy="on-request"'],
      ...["-c", 'sandbox_mode="workspace-write"'],
    ],
    ready: /Ask Codex|\? for shortcuts/,
    configure: ({ cwd, home, model }) => {
      const file = join(home, ".codex/config.toml");
      mkdirSync(join(home, ".codex"), { recursive: true });
      writeFileSync(file, `[projects."${cwd}"]\ntrust_level = "trusted"\n`);
      configureCodex(file, model.url);
    },
  },
  gemini: {
    driver: geminiDriver,
    argv: ["-m", "gemini-2.5-flash", "--approval-mode", "yolo"],
    ready: /Type your message/,
    startsFirst: true,
    configure: async (started, project) => {
      writeJson(join(started.home, ".gemini/settings.json"), {
        security: { folderTrust: { enabled: false } },
        ui: { hideTips: true, hideBanner: true },
      });
      geminiDriver.configure?.(started);
      await installInto("gemini", project, [], { options: ["--user"] });
    },
  },
  tenterhook: {
    driver: ownDriver,
    program: ({ model }) => [
      ...["env", "TENTERHOOK_AGENT_ID=w1", `OPENAI_COMPATIBLE_API_KEY=${model.key}`],
      ...[process.execPath, CLI, "run", "--model", `openai-compatible:${model.url}/fake`],
    ],
    argv: [],
    ready: /\/help/,
    configure: (_, project, monitor) => {
      const permissions = { allow: ["Bash(sleep *)"] };
      project.write("../config/tenterhook/hooks.yaml", stringify({ monitor, permissions }));
    },
  },
} as const satisfies Partial<Record<ClientName | "tenterhook", Row>>;

/** What the model is sent. */
type Body = Readonly<Record<string, unknown>>;

/** An agent on a terminal, with its true timeline. */
export interface Interactive extends Pick<MonitoredProject, "project" | "agents" | "decisions" | "shows"> {
  readonly desk: Desk;
  readonly timeline: Timeline;
  /** From now on the model answers this. */
  answers(reply: ServerReply | ((count: number, body: Body) => ServerReply)): void;
  /** Types a prompt, and waits until the model is asked. */
  prompt(): Promise<void>;
  /** Lets time pass. */
  waits(seconds: number): Promise<void>;
  /** Ends the comparison, and expects that it was never wrong for long. */
  matches(title: string): Match;
}

/** Programs take what comes at once for pasted. */
const TYPING_MILLISECONDS = 400;
const AGAIN_MILLISECONDS = 4000;
/** The monitor may be wrong for so long where something shows the truth. */
const MOST_WRONG_MILLISECONDS = 5000;

export async function startInteractive(
  name: keyof typeof ROWS,
  monitor: object = { on_prompt: "escalate" },
  given: readonly string[] = ROWS[name].argv,
): Promise<Interactive> {
  const { driver, program, ready, startsFirst, configure }: Row = ROWS[name];
  const monitored = monitoredProject(monitor);
  const { project, agents } = monitored;
  let answer: (count: number, body: Body) => ServerReply = () => ({ text: "done" });
  let asked = 0;
  const server = await startModelServer(
    driver.protocol,
    new Array(1000).fill(({ body }: { readonly body: Body }) => {
      if (driver.conversation(body) === undefined) return { text: driver.aside };
      asked += 1;
      return answer(asked, body);
    }),
  );
  onTestFinished(() => server.close());
  const { cwd, environment: own } = project;
  const started = {
    root: cwd,
    cwd,
    home: own.HOME ?? "",
    environment: own,
    prompt: "",
    model: server,
  };
  await configure(started, project, monitor);
  const { variables } = driver.command(started);
  const command = program?.(started) ?? [...watchAs("w1"), commandFor(name, project)];
  const [first = "", ...args] = [...command, ...given];
  // Starts the daemon.
  await agents();
  // As for people, the daemon decides what hooks are asked.
  const { TENTERHOOK_DAEMON: _, ...usual } = project.environment;
  const environment = { ...usual, ...variables, TERM: "xterm-256color", SHELL: "/bin/bash" };
  const desk = atDesk([first, args], { folder: project.folder, cwd, environment });
  const timeline = new Timeline("w1", project.environment);
  onTestFinished(() => void timeline.end());
  await desk.shows(ready);
  if (startsFirst === true)
    await expect.poll(() => timeline.last()?.session_id, { timeout: 60_000 }).toBeDefined();
  await sleep(1000);
  return {
    ...monitored,
    desk,
    timeline,
    answers(reply) {
      const [before, next] = [asked, reply];
      answer = typeof next === "function" ? (count, body) => next(count - before, body) : () => next;
    },
    async prompt() {
      const before = asked;
      desk.types("please go");
      await sleep(TYPING_MILLISECONDS);
      desk.presses("Enter");
      timeline.is("works", "working");
      // A program that is busy takes the key for a part of what was pasted.
      const isAsked = () => expect(asked).toBeGreaterThan(before);
      await eventually(isAsked, AGAIN_MILLISECONDS).catch(() => {
        timeline.isUnclear("was typed to");
        desk.presses("Enter");
        timeline.is("works", "working");
      });
      await expect.poll(() => asked, { timeout: 60_000 }).toBeGreaterThan(before);
    },
    waits: (seconds) => sleep(seconds * 1000),
    matches(title) {
      const match = timeline.end();
      note(title, match);
      expect(match.longest, `wrong for ${match.longest} ms while it ${match.during}`).toBeLessThan(
        MOST_WRONG_MILLISECONDS,
      );
      return match;
    },
  };
}

/** The agent's program, by the name that people start it with. */
function commandFor(name: string, { folder }: Project): string {
  if (!isClient(name)) throw new Error(`${name} is not installed by the tests.`);
  const program = clientProgram(name);
  if (!program.endsWith(".js")) return program;
  const command = join(folder, "bin", name);
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, { mode: 0o755 });
  return command;
}
