import type { CallReply } from "../../../src/hook/daemon/protocol.ts";
import { decide } from "../../../src/hook/decide.ts";
import { processHost } from "../../../src/hook/process/run-hook.ts";
import type { Project } from "./project.ts";

/** What the program replies to a payload that it decides in a process of its own; that process is this one. */
export async function decidedHere(
  { cwd, environment }: Pick<Project, "cwd" | "environment">,
  text: string,
): Promise<CallReply> {
  const call = {
    text,
    cwd,
    environment,
    time: Date.now(),
    pid: process.pid,
    parent: process.ppid,
    signal: new AbortController().signal,
  };
  const answer = await decide(call, processHost);
  if (answer === undefined) throw new Error("A process of its own decides every call.");
  await answer.after();
  const { stdout, stderr, exit_code } = answer.reply;
  return { stdout, stderr, exit_code };
}
