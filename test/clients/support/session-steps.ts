import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { ServerReply } from "../../../src/know/prove/model/model-server.ts";
import { eventually, isAlive, processesWith } from "../../support/processes.ts";
import type { Interactive } from "./interactive.ts";

/** What a step needs to know about an agent. */
export interface AgentWords {
  /** What makes the agent work for so long. */
  works(seconds: number): ServerReply;
  /** A command that it asks about. */
  asks(command: string): ServerReply;
  /** What its own dialog for a permission shows, and the key that allows the call. */
  readonly dialog: RegExp;
  readonly allows: string;
}

/** One thing that happens in a session. */
export type SessionStep = (agent: Interactive, words: AgentWords) => Promise<void>;

const MADE = "made";
let steps = 0;

/** The model answers this, one after the other, and then with a text, which is returned. */
function modelSays({ answers }: Interactive, ...replies: readonly (() => ServerReply)[]): string {
  steps += 1;
  const end = `Step ${steps} is done.`;
  answers((count) => replies[count - 1]?.() ?? { text: end });
  return end;
}

async function isDone({ desk, timeline, waits }: Interactive, end: string): Promise<void> {
  await desk.shows(end);
  timeline.is("is idle", "idle");
  await waits(20);
}

/** A turn with a tool that takes its time. */
export const turn: SessionStep = async (agent, { works }) => {
  const end = modelSays(agent, () => works(40));
  await agent.prompt();
  await isDone(agent, end);
};

/** Esc while a tool runs. */
export const interrupted: SessionStep = async (agent, { works }) => {
  modelSays(agent, () => works(300));
  await agent.prompt();
  await agent.waits(30);
  agent.desk.presses("Escape");
  agent.timeline.is("was interrupted", "idle");
  await agent.waits(20);
};

/** The provider refuses, or breaks the connection. */
export function failure(what: string, reply: ServerReply): SessionStep {
  return async (agent) => {
    agent.answers(reply);
    await agent.prompt();
    // Agents try again before they give up, and nobody sees when.
    agent.timeline.is(`meets ${what}`, "working", "failed");
    await eventually(() => expect(agent.timeline.last()?.state).toBe("failed"), 60_000);
    agent.timeline.is(`failed with ${what}`, "failed");
    await agent.waits(20);
  };
}

/** The agent asks for a permission. */
async function askedBy(agent: Interactive, { asks, works, dialog }: AgentWords): Promise<string> {
  rmSync(join(agent.project.cwd, MADE), { force: true });
  const end = modelSays(
    agent,
    () => asks(`touch ${MADE}`),
    () => works(20),
  );
  await agent.prompt();
  // Until its terminal shows the question, or its hook, which may hide it there.
  agent.timeline.is("is about to ask", "working", "prompting");
  await eventually(() => {
    const isShown = dialog.test(agent.desk.screen()) || agent.timeline.last()?.state === "prompting";
    expect(isShown).toBe(true);
  });
  agent.timeline.is("asks", "prompting");
  await agent.waits(15);
  return end;
}

const isMade = ({ project }: Interactive): boolean => existsSync(join(project.cwd, MADE));

/** A permission that is given from elsewhere: it was taken when the call runs. */
export const allowedElsewhere: SessionStep = async (agent, words) => {
  const end = await askedBy(agent, words);
  const [open] = await agent.decisions();
  agent.timeline.is("is being answered", "prompting", "working");
  const { stdout } = await agent.project.start(["answer", open?.id ?? "", "allow", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({
    resolved: { fate: expect.stringMatching(/^(?:given|taken)$/) },
  });
  await eventually(() => expect(isMade(agent)).toBe(true));
  agent.timeline.is("works", "working");
  await isDone(agent, end);
};

/** A permission that is given at the agent's terminal: an answer from elsewhere is refused afterwards. */
export const allowedAtDesk: SessionStep = async (agent, words) => {
  const end = await askedBy(agent, words);
  const [open] = await agent.decisions();
  await agent.desk.shows(words.dialog);
  agent.desk.presses(words.allows);
  await eventually(() => expect(isMade(agent)).toBe(true));
  agent.timeline.is("works", "working");
  await agent.waits(1);
  if (open !== undefined) {
    const late = await agent.project.start(["answer", open.id, "deny"]);
    expect({ ...late, stdout: "" }).toMatchObject({ code: 1 });
  }
  await isDone(agent, end);
};

/** The machine sleeps for minutes while a tool runs: nothing of it is scheduled, the daemon neither. */
export const asleep: SessionStep = async (agent, { works }) => {
  const end = modelSays(agent, () => works(150));
  await agent.prompt();
  await agent.waits(15);
  const all = processesWith(agent.project.folder);
  const terminal = agent.desk.pid();
  const send = (pids: readonly number[], signal: NodeJS.Signals): void => {
    for (const pid of pids.filter(isAlive)) process.kill(pid, signal);
  };
  // Nobody can ask a machine that sleeps.
  agent.timeline.is("sleeps");
  send([terminal, ...all], "SIGSTOP");
  await agent.waits(120);
  send([...all, terminal], "SIGCONT");
  agent.timeline.is("works on", "working");
  await isDone(agent, end);
};

/** The daemon is killed in the middle of a turn. `status` starts it again. */
export const withoutDaemon: SessionStep = async (agent, { works }) => {
  const end = modelSays(agent, () => works(30));
  await agent.prompt();
  await agent.waits(10);
  const { stdout } = await agent.project.start(["daemon", "status", "--json"]);
  process.kill(JSON.parse(stdout).pid, "SIGKILL");
  await agent.waits(2);
  await agent.agents();
  await isDone(agent, end);
};

/** The agent is killed while it works. */
export const killed: SessionStep = async (agent, { works }) => {
  modelSays(agent, () => works(300));
  await agent.prompt();
  await agent.waits(20);
  const { pid } = agent.timeline.last() ?? {};
  if (pid === undefined) throw new Error("The agent reported no process.");
  process.kill(pid, "SIGKILL");
  agent.timeline.is("was killed", "gone", "exited");
  await agent.waits(20);
};
