import { setTimeout as pause } from "node:timers/promises";
import type { Headless, Said } from "../../../../adapters/headless.ts";
import type { Integration } from "../../../../adapters/integration.ts";
import { parseRecord } from "../../../../core/base/json.ts";
import { lastCharacters } from "../../../../core/base/text.ts";
import { leaseLeft } from "../../../../fleet/program.ts";
import { REDIS_VARIABLE } from "../../../../fleet/queue.ts";
import type { TakenRun } from "../../../../fleet/run.ts";
import { ownProgram } from "../../../../node/own-program.ts";
import { DATABASE_VARIABLE } from "../../../../node/postgres/address.ts";
import type { Postgres } from "../../../../node/postgres/open-postgres.ts";
import { startProgram } from "../../../../node/process/start-program.ts";
import type { ProgramOrder } from "./held-program.ts";

export interface ProgramEnd {
  readonly end?: Said & { readonly type: "end" };
  readonly exit_code: number | null;
  /** The last that it said on stderr. */
  readonly last_words: string;
}

/** What only workers need: agents and their hooks must not reach the tables. */
const WITHHELD: ReadonlySet<string> = new Set([
  DATABASE_VARIABLE,
  REDIS_VARIABLE,
  "PGPASSWORD",
  "PGPASSFILE",
]);

const MOST_LINE = 20_000_000;
const MOST_WORDS = 2000;
const LEAST_PAUSE_MILLISECONDS = 100;
/** Longer than the process around the program lets it take. */
const GRACE_MILLISECONDS = 4000;

/**
 * Runs the program of an agent under `watch`, in a process that ends it with everything it has started when this worker ends or
 * no longer has the run.
 *
 * @throws ProgramError when it can't be started; what the database throws.
 */
export async function runProgramOf(
  { program, headless }: Integration & { readonly headless: Headless },
  run: TakenRun,
  { folder, args, input }: { readonly folder: string } & Pick<ProgramOrder, "args" | "input">,
  onSaid: (said: Said) => void,
  { database, environment }: { readonly database: Postgres; readonly environment: NodeJS.ProcessEnv },
  signal: AbortSignal,
): Promise<ProgramEnd> {
  signal.throwIfAborted();
  const { file, args: own } = ownProgram("fleet", "run-program");
  const passed = Object.entries(environment).filter(([name]) => !WITHHELD.has(name));
  const started = await startProgram(
    { file, args: own, cwd: folder, environment: Object.fromEntries(passed) },
    "pipe",
  );
  const { child } = started;
  const { stdin, stdout, stderr } = child;
  const over = new AbortController();
  const exited = new Promise<void>((resolve) => child.once("close", () => resolve()));
  let end: ProgramEnd["end"];
  let words = "";
  let lastText = "";
  stdin?.on("error", () => undefined);
  stderr?.on("data", (chunk: Buffer) => {
    words = lastCharacters(words + chunk.toString(), MOST_WORDS);
  });
  onLines(stdout, (line) => {
    for (const said of headless.read(parseRecord(line))) {
      if (said.type === "text") lastText = said.text;
      if (said.type === "end") end = { text: lastText, ...said };
      onSaid(said);
    }
  });
  const order: ProgramOrder = { name: run.run_id, program, args, input };
  stdin?.write(`${JSON.stringify(order)}\n`);
  const renewing = renew(database, run, (left) => stdin?.write(`${left}\n`), over.signal);
  const stop = async (): Promise<void> => {
    // Its end is seen there, and the program has a moment to end by itself.
    stdin?.end();
    await Promise.race([
      exited,
      pause(GRACE_MILLISECONDS, undefined, { signal: over.signal }).catch(() => undefined),
    ]);
    await started.terminate();
  };
  const onAbort = (): void => void stop();
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  await exited;
  over.abort();
  signal.removeEventListener("abort", onAbort);
  await started.terminate();
  await renewing;
  return { end, exit_code: child.exitCode, last_words: words.trim() };
}

/** Says for how long the worker has the run, as long as it has it. */
async function renew(
  database: Postgres,
  run: TakenRun,
  tell: (left: number) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const left = await leaseLeft(database, run).catch(() => 0);
    if (left === undefined || signal.aborted) return;
    if (left > 0) tell(left);
    const rest = Math.max(LEAST_PAUSE_MILLISECONDS, left / 4);
    await pause(rest, undefined, { signal }).catch(() => undefined);
  }
}

/** Calls back for each line. What is longer than anybody reads is left out. */
function onLines(from: NodeJS.ReadableStream | null, take: (line: string) => void): void {
  let begun = "";
  from?.setEncoding("utf8");
  from?.on("data", (chunk: string) => {
    const lines = `${begun}${chunk}`.split("\n");
    begun = lines.pop() ?? "";
    if (begun.length > MOST_LINE) begun = "";
    for (const line of lines) take(line);
  });
  from?.on("end", () => take(begun));
}
