import { resolve } from "node:path";
import { forkAt } from "../../../agent/conversation/stored-transcript.ts";
import type { HumanAnswer } from "../../../agent/run/session/answers.ts";
import { humanAnswer } from "../../../agent/run/session/read-answer.ts";
import { parseJson, sameJson } from "../../../core/base/json.ts";
import { monitorClient } from "../../../monitor/client.ts";
import { actionFor } from "../../../monitor/report/actions.ts";
import { readOwnFile } from "../../../node/files/own-file.ts";
import { type CommandRun, type Invocation, numberOption, textOption } from "../../command-line/command.ts";
import { mustBePerson } from "../../command-line/person.ts";
import { harmless, yellow } from "../../command-line/screen/text.ts";
import { usageError } from "../../command-line/usage-error.ts";
import { chat } from "./chat.ts";
import { runTask } from "./run.ts";
import { findSession, lostText, sessionReading, sessionStore } from "./sessions/session-store.ts";
import { taskFor } from "./sessions/task-for.ts";

export const run: CommandRun = async (invocation) => {
  const { names, environment } = invocation;
  const [id = "", ...words] = names;
  const message = words.join(" ").trim();
  if (isForChat(message, invocation)) return chat(invocation, id);
  const store = sessionStore(environment);
  const reading = sessionReading(invocation);
  return runTask(invocation, store, async () => {
    const answer = answerInFile(invocation, message);
    if (answer !== undefined && !(await wasGiven(answer, environment))) await mustBePerson(invocation);
    const resume = await findSession(store, id, reading.read);
    const task = answer ?? (await taskFor(resume, message, invocation, store));
    return { task, resumed: { resume }, lost: reading.lost };
  });
};

const MOST_BYTES = 1_000_000;

/**
 * The answer in the file of `--answer`; `undefined` without the option.
 *
 * @throws TenterhookError `usage_error` when there is a message too, or the file can't be read or trusted;
 * `invalid_answer`.
 */
function answerInFile(invocation: Invocation, message: string): HumanAnswer | undefined {
  const given = textOption(invocation, "answer");
  if (given === undefined) return undefined;
  const hint = "tenterhook sessions resume --help shows the usage.";
  if (message !== "") throw usageError("Give a message or --answer, not both.", hint);
  const file = resolve(invocation.cwd, given);
  const read = readOwnFile(file, MOST_BYTES);
  if (read.text === undefined) throw usageError(`--answer ${file}: ${read.reason}.`, hint);
  return humanAnswer(parseJson(read.text), `--answer ${file}`);
}

/** Somebody at a terminal who says nothing wants to go on talking. */
function isForChat(message: string, { screen, json, options }: Invocation): boolean {
  return screen.interactive && !json && message === "" && options.answer === undefined;
}

/** True for an answer that the monitor's daemon has taken from a person: it continues the session with it. */
async function wasGiven(answer: HumanAnswer, environment: NodeJS.ProcessEnv): Promise<boolean> {
  const decisions = await monitorClient(environment)
    .decisions("all")
    .catch(() => []);
  return decisions.some((one) => one.state === "resolved" && sameJson(actionFor(one)?.answer, answer));
}

export const fork: CommandRun = async (invocation) => {
  const { names, environment, json, screen, signal } = invocation;
  const [id = "", ...words] = names;
  const message = words.join(" ").trim();
  const turn = numberOption(invocation, "turn");
  const store = sessionStore(environment);
  const reading = sessionReading(invocation);
  const forked = async (): Promise<string> => {
    const { metadata } = await findSession(store, id, reading.read);
    return forkAt(store, metadata.agent_id, turn, reading.read);
  };
  if (message !== "")
    return runTask(invocation, store, async () => {
      const resume = await findSession(store, await forked(), { signal });
      const task = await taskFor(resume, message, invocation, store);
      return { task, resumed: { resume, source: "fork" }, lost: reading.lost };
    });
  try {
    const agent_id = await forked();
    const { lost } = reading;
    if (!json) screen.tell(...lost.map((place) => yellow(harmless(lostText(place)))));
    return { json: { agent_id, ...(lost.length === 0 ? {} : { lost }) }, blocks: [agent_id] };
  } finally {
    await store.close();
  }
};
