import type { HookCall } from "../../../src/hook/call.ts";
import type { CallReply } from "../../../src/hook/daemon/protocol.ts";
import { decide } from "../../../src/hook/decide.ts";
import { processHost } from "../../../src/hook/process/run-hook.ts";
import { type CliResult, inPlace } from "./run-cli.ts";

interface Place {
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** A call that this process makes in a place. */
export function callIn({ cwd, environment }: Place, text: string): HookCall {
  return {
    text,
    cwd,
    environment,
    time: Date.now(),
    pid: process.pid,
    parent: process.ppid,
    signal: new AbortController().signal,
  };
}

/** What the program replies to a payload that it decides in a process of its own; that process is this one. */
export async function decidedHere(
  place: Place,
  text: string,
  about: Pick<HookCall, "isLastGate"> = {},
): Promise<CallReply> {
  const answer = await decide({ ...about, ...callIn(place, text) }, processHost);
  if (answer === undefined) throw new Error("A process of its own decides every call.");
  await answer.after();
  const { stdout, stderr, exit_code } = answer.reply;
  return { stdout, stderr, exit_code };
}

/** The same as the program writes it, with the folder and the variables of a project. */
export async function hookHere(place: Place, text: string): Promise<CliResult> {
  const { stdout, stderr, exit_code } = await inPlace(place, () => decidedHere(place, text));
  return { code: exit_code, stdout, stderr: stderr === "" ? "" : `${stderr}\n` };
}
