import { randomBytes } from "node:crypto";
import { errorMessage } from "../../../core/base/error-text.ts";
import type { TextResult, Tool, ToolContext } from "../../../core/contracts/tool.ts";
import { allowReading } from "../files/workspace.ts";
import { failed, flagField, flagOf, inputSchema, optionalNumber, textField, textOf } from "../input.ts";
import { type CollectedOutput, collectOutput } from "./collected-output.ts";
import { makeOutputFile, outputFrom } from "./output-file.ts";
import { runCommand } from "./run-command.ts";

const DEFAULT_MILLISECONDS = 120_000;
const MOST_MILLISECONDS = 600_000;

const DESCRIPTION = `Runs a shell command in the working folder and returns its output and exit code.

- Each call is a shell of its own: a changed folder or variable does not last. Join commands with && or use absolute paths.
- Nothing can be typed into it. Commands that ask, page or wait for a terminal fail or run out of time.
- It is ended, with everything it started, after ${DEFAULT_MILLISECONDS / 1000} s, or the given timeout of at most ${MOST_MILLISECONDS / 1000} s.
- A long output is cut in the middle; the whole is in a file whose path is named, for Read and Grep.
- With run_in_background it answers at once, with the file its output goes to; the result is delivered when the command ends. Until then Monitor shows what is new, and TaskStop ends it.
- For files use Read, Edit, Write, Glob and Grep rather than cat, sed, find and grep. API keys and tokens are not in the environment.`;

/** Options of the Bash tool. */
export interface BashOptions {
  /** Names of variables that look like secrets and that commands get anyway. */
  readonly pass_environment?: readonly string[];
}

/** Runs shell commands, in the foreground or in the background. */
export function bashTool({ pass_environment = [] }: BashOptions = {}): Tool {
  return {
    name: "Bash",
    description: DESCRIPTION,
    input_schema: inputSchema(
      {
        command: textField("The command line, for bash, or sh if bash is missing."),
        timeout: {
          type: "integer",
          minimum: 1,
          maximum: MOST_MILLISECONDS,
          description: `Milliseconds after which it is ended; ${DEFAULT_MILLISECONDS} when not given.`,
        },
        description: {
          type: "string",
          description: "What the command does, in five to ten words, for the user.",
        },
        run_in_background: flagField("Answer at once and deliver the result when the command ends."),
      },
      ["command"],
    ),
    annotations: { destructive: true, open_world: true },
    async run(input, context) {
      const line = textOf(input, "command");
      if (line.includes("\0")) throw failed("A command can't hold a NUL character.");
      const timeout = optionalNumber(input, "timeout");
      if (flagOf(input, "run_in_background")) return inBackground(line, timeout, pass_environment, context);
      return runCommand(
        {
          line,
          output: collectOutput(() => makeOutputFile(context.tool_use_id)),
          milliseconds: Math.min(timeout ?? DEFAULT_MILLISECONDS, MOST_MILLISECONDS),
          signal: context.signal,
          handedOn: pass_environment,
          show: context.progress,
        },
        context,
      );
    },
  };
}

/** Runs until the command ends, its timeout if it has one, or the end of the agent. */
function inBackground(
  line: string,
  timeout: number | undefined,
  handedOn: readonly string[],
  context: ToolContext,
): TextResult {
  const { host, signal } = context;
  if (host.deliverLater === undefined) {
    throw failed("Commands can't run in the background here. Run it without run_in_background.");
  }
  const id = `bash_${randomBytes(4).toString("hex")}`;
  const file = makeOutputFile(id);
  if (file === undefined) throw failed("There is no place to write the output of a background command to.");
  allowReading(file.path, context);
  const milliseconds = timeout ?? (host.lifetime === undefined ? MOST_MILLISECONDS : undefined);
  const stopped = new AbortController();
  const until = AbortSignal.any([host.lifetime ?? signal, stopped.signal]);
  const listeners = new Set<() => void>();
  const collected = collectOutput(file);
  const output: CollectedOutput = {
    end: collected.end,
    add(chunk, stream) {
      collected.add(chunk, stream);
      for (const listener of listeners) listener();
    },
  };
  const running = runCommand({ line, output, milliseconds, signal: until, handedOn }, context);
  host.deliverLater(
    running.then(
      (result) => ({ ...result, content: `The background command ${id} has ended.\n${result.content}` }),
      (error: unknown) => ({
        content: `The background command ${id} failed: ${errorMessage(error)}`,
        is_error: true,
      }),
    ),
    {
      id,
      title: line,
      read: (from) => outputFrom(file.path, from),
      onOutput(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      stop: () => stopped.abort(),
    },
  );
  return {
    content: `Started in the background as ${id}. Its output goes to ${file.path}; its result follows when it ends.`,
    data: { background_id: id, output_file: file.path },
  };
}
