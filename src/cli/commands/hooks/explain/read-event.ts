import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { DecodedEvent } from "../../../../adapters/adapter.ts";
import type { Integration } from "../../../../adapters/integration.ts";
import { parseJson } from "../../../../config/parse/parse-json.ts";
import { errorMessage } from "../../../../core/base/error-text.ts";
import { isTenterhookError, TenterhookError } from "../../../../core/base/errors.ts";
import { isRecord } from "../../../../core/base/json.ts";
import { readRegularFile } from "../../../../node/files/regular-file.ts";
import { systemCode } from "../../../../node/system-code.ts";
import type { Invocation } from "../../../command-line/command.ts";

const MOST_BYTES = 20_000_000;

/** An event that can be fired. */
export type GivenEvent = Readonly<Record<string, unknown>> & { readonly hook_event_name: string };

/**
 * Reads an event from a file, from stdin for `-`, or makes one of a shell command. Completes it: a call alone is a
 * PreToolUse in the working folder.
 *
 * @throws TenterhookError `invalid_event`, with line and column for bad JSON.
 */
export async function readEvent(source: string, invocation: Invocation): Promise<GivenEvent> {
  const payload = await readPayload(source, invocation);
  const { hook_event_name } = payload;
  if (typeof hook_event_name === "string") return { ...payload, hook_event_name };
  throw new TenterhookError("invalid_event", `${nameOf(source)}: hook_event_name is missing.`, {
    hint: 'Give the event\'s name, or a call alone: { "tool_name": "Bash", "tool_input": { "command": "ls" } }.',
  });
}

/**
 * The same for the payload of an agent, which may name its event in another way. A shell command becomes a call as the
 * agent sends it, in the working folder.
 *
 * @throws TenterhookError `invalid_event`, with line and column for bad JSON.
 */
export async function readNative(
  { adapter, shellCall }: Integration,
  source: string,
  invocation: Invocation,
): Promise<DecodedEvent> {
  const { cwd } = invocation;
  if (shellCall === undefined || !isCommand(source, invocation))
    return adapter.decode(await readPayload(source, invocation));
  return { ...adapter.decode(shellCall(source, cwd)), cwd };
}

async function readPayload(
  source: string,
  invocation: Invocation,
): Promise<Readonly<Record<string, unknown>>> {
  const { cwd } = invocation;
  if (isCommand(source, invocation)) {
    const call = { tool_name: "Bash", tool_input: { command: source } };
    return { hook_event_name: "PreToolUse", session_id: "explain", cwd, ...call };
  }
  const name = nameOf(source);
  const text = source === "-" ? await stdinText(invocation.signal) : await fileText(source, invocation);
  const value = jsonValue(name, text);
  if (!isRecord(value))
    throw new TenterhookError("invalid_event", `${name}: an event must be a JSON object.`);
  const isCall = value.hook_event_name === undefined && value.tool_name !== undefined;
  const call = isCall ? { hook_event_name: "PreToolUse", tool_input: {} } : {};
  return { session_id: "explain", cwd, ...call, ...value };
}

function nameOf(source: string): string {
  return source === "-" ? "stdin" : source;
}

/** Anything that is neither a file nor named like one. */
function isCommand(source: string, { cwd }: Invocation): boolean {
  return source !== "-" && !source.endsWith(".json") && !existsSync(resolve(cwd, source));
}

function jsonValue(name: string, text: string): unknown {
  try {
    return parseJson(name, text).value;
  } catch (cause) {
    if (!isTenterhookError(cause)) throw cause;
    throw new TenterhookError("invalid_event", cause.message, {
      hint: "An event is one JSON object.",
      cause,
    });
  }
}

async function fileText(source: string, { cwd, signal }: Invocation): Promise<string> {
  const file = resolve(cwd, source);
  try {
    signal.throwIfAborted();
    return readRegularFile(file, MOST_BYTES).toString("utf8");
  } catch (cause) {
    const isGone = systemCode(cause) === "ENOENT";
    const why = isGone ? "there is no such file" : errorMessage(cause);
    throw new TenterhookError("usage_error", `${source} can't be read: ${why}.`, {
      hint: "Name a file with the event as JSON, or - to read it from stdin.",
      cause,
    });
  }
}

async function stdinText(signal: AbortSignal): Promise<string> {
  const parts: Buffer[] = [];
  const stop = (): void => {
    process.stdin.destroy();
  };
  signal.addEventListener("abort", stop, { once: true });
  let bytes = 0;
  for await (const part of process.stdin) {
    signal.throwIfAborted();
    parts.push(Buffer.from(part));
    bytes += parts.at(-1)?.length ?? 0;
    if (bytes > MOST_BYTES)
      throw new TenterhookError("invalid_event", `The event has more than ${MOST_BYTES} bytes.`);
  }
  signal.removeEventListener("abort", stop);
  signal.throwIfAborted();
  return Buffer.concat(parts).toString("utf8");
}
