import { spawn, spawnSync } from "node:child_process";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { MISSING } from "../settings/installed-texts.ts";
import { PLUGIN_FIELD, type PluginReply, type PluginSettings } from "./wire.ts";

/*
 * The part of a plug-in file that asks our program. It runs inside the agent, and a missing import would leave some
 * agents without a gate: it uses Node's own modules only, never writes to stdout, and always answers.
 */

/** The line that `install` writes above the plug-in. */
declare const SETTINGS: PluginSettings;

type Fields = Readonly<Record<string, unknown>>;

const MOST_CHARACTERS = 50_000_000;
const GRACE_MILLISECONDS = 2000;

/** What our hooks say about an event; nothing when no hook wants it. Never rejects: a failure is a refusal. */
export async function ask(event: string, fields: Fields): Promise<PluginReply> {
  const question = questionOf(event, fields);
  if (question === undefined) return {};
  return run(question).then(readReply).catch(refusal);
}

/** The same for agents that go on without waiting. The agent is blocked meanwhile. Never throws. */
export function askNow(event: string, fields: Fields): PluginReply {
  const question = questionOf(event, fields);
  if (question === undefined) return {};
  const { path, args } = ourProgram();
  const { stdout, stderr, status, signal, error } = spawnSync(path, args, {
    input: question.payload,
    encoding: "utf8",
    timeout: question.seconds * 1000,
    maxBuffer: MOST_CHARACTERS,
    env: withKeptProgram(process.env),
  });
  try {
    if (error !== undefined) throw error;
    if (status !== 0) throw new Error(failureText(stderr, status, signal));
    return readReply(stdout);
  } catch (failure) {
    return refusal(failure);
  }
}

interface Question {
  readonly payload: string;
  readonly seconds: number;
}

/** True when a hook wants the event, of this tool if it is about one. */
export function isWanted(event: string, tool?: string): boolean {
  const { tools } = SETTINGS.events[event] ?? {};
  return (
    Object.hasOwn(SETTINGS.events, event) && (tools === undefined || new RegExp(tools).test(String(tool)))
  );
}

/** `undefined` when no hook wants the event. */
function questionOf(event: string, fields: Fields): Question | undefined {
  const { tool_name } = fields;
  const seconds = SETTINGS.events[event]?.seconds;
  if (seconds === undefined || !isWanted(event, String(tool_name))) return undefined;
  const payload = { [PLUGIN_FIELD]: SETTINGS.agent, hook_event_name: event, ...fields };
  return { payload: JSON.stringify(payload), seconds };
}

function refusal(error: unknown): PluginReply {
  return { deny: `tenterhook could not decide: ${error instanceof Error ? error.message : error}` };
}

function ourProgram(): { readonly path: string; readonly args: readonly string[] } {
  const [program = "", ...args] = SETTINGS.command.split(" ");
  return { path: program.startsWith(".") ? fileURLToPath(new URL(program, import.meta.url)) : program, args };
}

/** Our program is looked for last where it is kept for somebody who has not installed it; never below the project. */
function withKeptProgram({ PATH, ...rest }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { XDG_STATE_HOME = "", HOME = "" } = rest;
  const home = isAbsolute(HOME) ? HOME : homedir();
  const state = isAbsolute(XDG_STATE_HOME) ? XDG_STATE_HOME : join(home, ".local/state");
  const folders = [PATH || "/usr/local/bin:/usr/bin:/bin", join(state, "tenterhook/program")];
  return { ...rest, PATH: folders.join(delimiter) };
}

function failureText(stderr: string, code: number | null, signal: string | null): string {
  return stderr.trim() || `it ended with ${signal ?? `exit code ${code}`}.`;
}

/** @throws Error when it is no reply of ours. */
function readReply(text: string): PluginReply {
  if (text.trim() === "") return {};
  const reply: unknown = JSON.parse(text);
  if (typeof reply !== "object" || reply === null || Array.isArray(reply))
    throw new Error("its answer is not an object.");
  return reply;
}

/** Runs our program with the payload and returns what it writes. */
function run({ payload, seconds }: Question): Promise<string> {
  const { path, args } = ourProgram();
  return new Promise((resolve, reject) => {
    const child = spawn(path, args, { stdio: ["pipe", "pipe", "pipe"], env: withKeptProgram(process.env) });
    let stdout = "";
    let stderr = "";
    const fail = (why: string): void => {
      child.kill("SIGTERM");
      setTimeout(() => child.kill("SIGKILL"), GRACE_MILLISECONDS).unref?.();
      reject(new Error(why));
    };
    // Not unreferenced: an agent with nothing else to do would end in the middle of the call.
    const timer = setTimeout(() => fail(`no answer within ${seconds} seconds.`), seconds * 1000);
    child.on("error", ({ message }) => {
      clearTimeout(timer);
      reject(new Error(`${path} can't be run: ${message}. ${MISSING}`));
    });
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      stdout += chunk;
      if (stdout.length > MOST_CHARACTERS) fail("its answer is too long.");
    });
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      stderr = (stderr + chunk).slice(0, 10_000);
    });
    // A program that ends before it has read everything says why on stderr.
    child.stdin.on("error", () => undefined);
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      if (code === 0) resolve(stdout);
      else reject(new Error(failureText(stderr, code, signal)));
    });
    child.stdin.end(payload);
  });
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
