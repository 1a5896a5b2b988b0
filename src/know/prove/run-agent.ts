import { existsSync } from "node:fs";
import { join } from "node:path";
import { isRecord, listOf } from "../../core/base/json.ts";
import { readJournal } from "../../journal/read-journal.ts";
import type { JournalRecord } from "../../journal/record.ts";
import { startDeadline } from "../../node/process/deadline.ts";
import { runProgram } from "../../node/process/run-program.ts";
import { type Script, scripted } from "./driver.ts";
import { type ServerRequest, startModelServer } from "./model/model-server.ts";
import { MOST_MILLISECONDS, type Proven } from "./proof.ts";
import type { Throwaway } from "./throwaway.ts";

export interface ProofRun {
  /** How many requests of the conversation it made. */
  readonly requests: number;
  /** The names of the tools that the model was offered. */
  readonly tools: readonly string[];
  /** All that the model was sent, as JSON. */
  readonly sent: string;
  readonly stderr: string;
  /** True when it had to be ended. */
  readonly endless: boolean;
  readonly records: readonly JournalRecord[];
  /** True for a file that is in the project. */
  made(name: string): boolean;
}

const MOST_OUTPUT = 1_000_000;
const MOST_REQUESTS = 200;

/** Runs the agent in a throw-away folder against a model that says what the script has. */
export async function runAgent(
  {
    driver,
    program,
    signal,
    mostMilliseconds = MOST_MILLISECONDS.agent,
  }: Pick<Proven, "driver" | "program" | "signal" | "mostMilliseconds">,
  { prompt, ...script }: Script & { readonly prompt: string },
  { places, environment, cwd = places.root }: Throwaway & { readonly cwd?: string },
): Promise<ProofRun> {
  const { root, home } = places;
  const { reply, requests } = scripted(driver, script);
  const server = await startModelServer(driver.protocol, new Array(MOST_REQUESTS).fill(reply));
  const deadline = startDeadline(signal, mostMilliseconds);
  try {
    const started = { root, cwd, home, environment, prompt, model: server };
    driver.configure?.(started);
    const { args, variables, stdin } = driver.command(started);
    const { stderr, aborted } = await runProgram({
      file: program,
      args,
      cwd,
      environment: { ...environment, ...variables },
      input: stdin,
      signal: deadline.signal,
      maxOutputBytes: MOST_OUTPUT,
      mayLeave: () => false,
    }).then(async (ended) => {
      await ended.settled;
      return ended;
    });
    signal.throwIfAborted();
    return {
      requests: requests.length,
      tools: requests.flatMap(({ body }) => toolsIn(body)),
      sent: JSON.stringify(requests.map(({ body }) => driver.conversation(body))),
      stderr: stderr.toString(),
      endless: aborted,
      records: await recordsIn(environment),
      made: (name) => [cwd, root].some((folder) => existsSync(join(folder, name))),
    };
  } finally {
    deadline.end();
    await server.close();
  }
}

function toolsIn({ tools }: ServerRequest["body"]): readonly string[] {
  return listOf(tools).flatMap((one) => {
    const { name } = isRecord(one) ? (isRecord(one.function) ? one.function : one) : {};
    return typeof name === "string" ? [name] : [];
  });
}

export async function recordsIn(environment: NodeJS.ProcessEnv): Promise<readonly JournalRecord[]> {
  const records: JournalRecord[] = [];
  for await (const record of readJournal({ environment })) records.push(record);
  return records;
}

/** The first decision about an event with a word in it. */
export function recordOf(
  records: readonly JournalRecord[],
  event: string,
  word: string,
): JournalRecord | undefined {
  return records.find(
    (one) => one.event.hook_event_name === event && JSON.stringify(one.event).includes(word),
  );
}
