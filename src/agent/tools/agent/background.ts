import type { StartedTask, Tool, ToolContext } from "../../../core/contracts/tool.ts";
import { raceAbort, startDeadline } from "../../../node/process/deadline.ts";
import { compileRegex, loadRegexEngine } from "../../../rules/operators/regex.ts";
import { failed, inputSchema, optionalNumber, optionalText, textField, textOf } from "../input.ts";

const MOST_MILLISECONDS = 600_000;
const PATTERN_MILLISECONDS = 30_000;
const MOST_CHARACTERS = 30_000;

/** Shows what a task in the background has said since the last look, and waits for more if asked to. */
export const monitorTool: Tool = {
  name: "Monitor",
  description: `Shows what a background command or subagent has written since you last looked, and whether it still runs.

- Without pattern and timeout it answers at once. With timeout it waits until the task ends, or with pattern until the new output matches, whichever comes first.
- Do not call it in a loop to wait for the end: the result of a task is delivered to you when it ends.
- Without task_id it lists the tasks.`,
  input_schema: inputSchema(
    {
      task_id: textField("The task, as Bash or Task named it."),
      pattern: textField("A regular expression to wait for in the new output."),
      timeout: {
        type: "integer",
        minimum: 0,
        maximum: MOST_MILLISECONDS,
        description: `Milliseconds to wait at most; with a pattern ${PATTERN_MILLISECONDS} when not given.`,
      },
    },
    [],
  ),
  annotations: { read_only: true },
  replay: "safe",
  async run(input, context) {
    if (optionalText(input, "task_id") === undefined) return { content: listed(context) };
    const task = taskOf(input, context);
    const key = `monitored:${task.id}`;
    const seen = context.memory.get(key);
    const from = typeof seen === "number" ? seen : 0;
    const pattern = optionalText(input, "pattern");
    if (pattern !== undefined) await loadRegexEngine();
    const fits = pattern === undefined ? undefined : compileRegex(pattern, false);
    const matches = (): boolean => fits?.(task.read(from).text) === true;
    const timeout = optionalNumber(input, "timeout") ?? (pattern === undefined ? 0 : PATTERN_MILLISECONDS);
    await untilTrue(task, matches, Math.min(timeout, MOST_MILLISECONDS), context.signal);
    const { text, next } = task.read(from);
    context.memory.set(key, next);
    const matched = fits === undefined ? undefined : fits(text);
    const news = text === "" ? "No new output." : `New output:\n${lastCharacters(text)}`;
    const found =
      matched === undefined ? "" : matched ? " The pattern was found." : " The pattern was not found.";
    return {
      content: `${stateLine(task)}${found} ${news}`,
      data: {
        task_id: task.id,
        state: task.state,
        output: text,
        matched,
      },
    };
  },
};

/**
 * Ends a task in the background. It counts as read-only, so that nobody is asked and plan mode can use it: it ends only what
 * this agent itself has started.
 */
export const taskStopTool: Tool = {
  name: "TaskStop",
  description: `Ends a background command, with everything it started, or a background subagent. Its result follows as always.`,
  input_schema: inputSchema({ task_id: textField("The task, as Bash or Task named it.") }, ["task_id"]),
  annotations: { read_only: true, sequential: true, idempotent: true },
  async run(input, context) {
    const task = taskOf(input, context);
    if (task.state === "ended") return { content: `${stateLine(task)} There is nothing to end.` };
    task.stop();
    await raceAbort(task.ended, context.signal);
    return { content: stateLine(task), data: { task_id: task.id, state: task.state } };
  },
};

function taskOf(input: Readonly<Record<string, unknown>>, context: ToolContext): StartedTask {
  const id = textOf(input, "task_id");
  const task = context.host.tasks?.get(id);
  if (task === undefined)
    throw failed(`There is no background task ${JSON.stringify(id)}. ${listed(context)}`);
  return task;
}

function listed({ host: { tasks = new Map() } }: ToolContext): string {
  const lines = [...tasks.values()].map((task: StartedTask) => `- ${stateLine(task)}`);
  return lines.length === 0
    ? "Nothing was started in the background."
    : `Background tasks:\n${lines.join("\n")}`;
}

function stateLine({ id, title, state }: StartedTask): string {
  return `${id} (${title.replaceAll(/\s+/g, " ").slice(0, 100)}) ${state === "running" ? "is running." : "has ended."}`;
}

/** Waits until something is true of the task, it ends, or the time is over. */
async function untilTrue(
  task: StartedTask,
  isTrue: () => boolean,
  milliseconds: number,
  signal: AbortSignal,
): Promise<void> {
  if (milliseconds === 0) return;
  const deadline = startDeadline(signal, milliseconds);
  let forget = (): void => {};
  const heard = new Promise<void>((resolve) => {
    const look = (): void => {
      if (isTrue()) resolve();
    };
    forget = task.onOutput(look);
    look();
  });
  try {
    await raceAbort(Promise.race([heard, task.ended]), deadline.signal);
  } catch (error) {
    if (!deadline.passed()) throw error;
  } finally {
    forget();
    deadline.end();
  }
}

/** The end of a long text, with a note. The command's file has all of it. */
function lastCharacters(text: string): string {
  const left = text.length - MOST_CHARACTERS;
  return left <= 0 ? text : `[… ${left} characters left out …]\n${text.slice(-MOST_CHARACTERS)}`;
}
