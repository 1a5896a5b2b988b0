import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { isRecord, parseJson } from "../../../../core/base/json.ts";
import { killMarkedNow, terminateMarked } from "../../../../node/process/terminate.ts";
import type { Invocation } from "../../../command-line/command.ts";
import { usageError } from "../../../command-line/usage-error.ts";
import { watchProgram } from "../../monitor/watch.ts";

/** What a worker has run under the monitor: the first line that it writes. Each further one says for how long it has the run. */
export interface ProgramOrder {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly input: string;
}

/**
 * `tenterhook fleet run-program`: runs a program for a worker, as `tenterhook run` does. Whatever happens to the worker, the
 * program ends with its lease: when the worker has ended, and when it no longer says that it has the run.
 */
export async function run(invocation: Invocation): Promise<number> {
  const { TENTERHOOK_RUN: marker = "" } = invocation.environment;
  const ending = new AbortController();
  const onEnd = (): void => ending.abort(new Error("The worker has ended."));
  const { order, close } = await leash(process.stdin, onEnd, () => {
    // Another worker may begin now.
    if (marker !== "") killMarkedNow(marker);
    ending.abort(new Error("The lease of the run has ended."));
  });
  const { name, program, args, input } = order;
  const signal = AbortSignal.any([invocation.signal, ending.signal]);
  const held = { input, until: ending.signal };
  try {
    return (await watchProgram({ program, args, name, held }, { ...invocation, signal })).code;
  } finally {
    close();
    // What it has left running is nobody's any more.
    if (marker !== "") await terminateMarked(marker);
  }
}

/** Reads what the worker writes. @throws TenterhookError `usage_error` without an order. */
async function leash(from: Readable, onEnd: () => void, onOverdue: () => void) {
  const lines = createInterface({ input: from });
  let timer: NodeJS.Timeout | undefined;
  const order = await new Promise<ProgramOrder>((resolve, reject) => {
    lines.on("line", (line) => {
      const value = parseJson(line);
      if (isOrder(value)) resolve(value);
      if (typeof value !== "number") return;
      clearTimeout(timer);
      timer = setTimeout(onOverdue, value);
    });
    lines.once("close", () => {
      reject(usageError("It is started by a worker alone.", "tenterhook fleet worker."));
      onEnd();
    });
  });
  const close = (): void => {
    clearTimeout(timer);
    lines.close();
    from.destroy();
  };
  return { order, close };
}

function isOrder(value: unknown): value is ProgramOrder {
  if (!isRecord(value)) return false;
  const { name, program, args, input } = value;
  const areTexts = [name, program, input].every((one) => typeof one === "string");
  return areTexts && Array.isArray(args) && args.every((one) => typeof one === "string");
}
