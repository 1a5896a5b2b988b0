import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { addAbortSignal } from "node:stream";
import type { DecodedEvent } from "../../../../adapters/adapter.ts";
import type { Integration } from "../../../../adapters/integration.ts";
import { parseJson } from "../../../../config/parse/parse-json.ts";
import { errorMessage } from "../../../../core/base/error-text.ts";
import { isTenterhookError, TenterhookError } from "../../../../core/base/errors.ts";
import { isRecord } from "../../../../core/base/json.ts";
import { EVENTS } from "../../../../core/events/event-table.ts";
import { readRegularFile } from "../../../../node/files/regular-file.ts";
import { readUpTo } from "../../../../node/http.ts";
import { systemCode } from "../../../../node/system-code.ts";
import type { Invocation } from "../../../command-line/command.ts";
import { usageError } from "../../../command-line/usage-error.ts";

const MOST_BYTES = 20_000_000;

const A_CALL = '{ "tool_name": "Bash", "tool_input": { "command": "ls" } }';

export type GivenEvent = Readonly<Record<string, unknown>> & { readonly hook_event_name: string };

/**
 * Reads an event from a file, from stdin for `-`, or makes one of a shell command. Completes it: a call alone is a
 * PreToolUse in the working folder.
 *
 * @throws TenterhookError `invalid_event`, with line and column for bad JSON.
 */
export async function readEvent(source: string, invocation: Invocation): Promise<GivenEvent> {
  const given = await readPayload(source, invocation);
  const payload = { ...given, ...callIn(given) };
  const { hook_event_name } = payload;
  if (typeof hook_event_name === "string") return { ...payload, hook_event_name };
  throw new TenterhookError("invalid_event", `${nameOf(source)}: hook_event_name is missing.`, {
    hint: `Give a shell command in quotes, or a call: ${A_CALL}.`,
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
  const text = isInlineJson(source)
    ? source
    : source === "-"
      ? await stdinText(invocation.signal)
      : await fileText(source, invocation);
  const value = jsonValue(name, text);
  if (!isRecord(value))
    throw new TenterhookError("invalid_event", `${name}: an event must be a JSON object.`);
  const isCall = value.hook_event_name === undefined && value.tool_name !== undefined;
  const call = isCall ? { hook_event_name: "PreToolUse", tool_input: {} } : {};
  return { session_id: "explain", cwd, ...call, ...value };
}

/** People write a call with `tool` and `command` or `input` as well. */
function callIn(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { hook_event_name, tool, command, input } = value;
  const name = tool ?? (typeof command === "string" ? "Bash" : undefined);
  if (hook_event_name !== undefined || name === undefined) return {};
  const tool_input = value.tool_input ?? input ?? (command === undefined ? {} : { command });
  return { hook_event_name: "PreToolUse", tool_name: name, tool_input };
}

function nameOf(source: string): string {
  return source === "-" ? "stdin" : isInlineJson(source) ? "the event" : source;
}

/** Also broken JSON. `{ ls; }` and `{rm,-rf,src}` are shell lines. */
function isInlineJson(source: string): boolean {
  return /^\s*\{(?:\s*(?:["}]|\w+:|$)|'|(?!\s|\S*,\S*\}))/.test(source);
}

/** The names of files that no shell runs. */
const DATA_FILE = /^\S+\.(?:jsonc?|jsonl|ya?ml|toml)$/;

/**
 * Anything that is neither JSON nor the name of a file with data: `cat a.json` has a space, `build.sh` is a program.
 *
 * @throws TenterhookError `usage_error` for the name of an event.
 */
function isCommand(source: string, { cwd }: Invocation): boolean {
  if (Object.hasOwn(EVENTS, source))
    throw usageError(
      `${source} is an event, not a shell command.`,
      `Give it as JSON with what it is about: tenterhook explain '{ "hook_event_name": "${source}" }'. docs/reference/events.md has the fields.`,
    );
  if (source === "-" || isInlineJson(source) || DATA_FILE.test(source)) return false;
  const file = resolve(cwd, source);
  return !(existsSync(file) && statSync(file).isFile() && /^\s*[{[]/.test(beginningOf(file)));
}

/** Enough of a file to see whether it is JSON; a file that can't be read is reported as such later. */
function beginningOf(file: string): string {
  try {
    return readRegularFile(file, MOST_BYTES).toString("utf8", 0, 100);
  } catch {
    return "{";
  }
}

function jsonValue(name: string, text: string): unknown {
  try {
    return parseJson(name, text).value;
  } catch (cause) {
    if (!isTenterhookError(cause)) throw cause;
    throw new TenterhookError("invalid_event", cause.message, {
      hint: `An event is one JSON object: ${A_CALL}.`,
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
  const { bytes, truncated } = await readUpTo(addAbortSignal(signal, process.stdin), MOST_BYTES);
  if (truncated) throw new TenterhookError("invalid_event", `The event has more than ${MOST_BYTES} bytes.`);
  return bytes.toString("utf8");
}
