import { TenterhookError } from "../core/errors.ts";
import { didYouMean } from "../core/suggest.ts";
import { writeAnswer } from "../monitor/answers.ts";
import { appendToSpool, spoolFolder } from "../monitor/spool.ts";
import { agentId } from "./agent/agent-id.ts";
import { waitingPrompt } from "./agent/waiting-prompt.ts";
import { type CommandRun, type Invocation, textOption } from "./command.ts";

/** What each event is told with: its field and the values that may have, or anything. */
interface EmitRow {
  readonly field: string;
  readonly values?: readonly string[];
  /** The value is an option, not a word. */
  readonly option?: string;
  /** There may be several values, one for each question. */
  readonly several?: true;
}

const EVENTS: ReadonlyMap<string, EmitRow> = new Map([
  ["agent:signal", { field: "signal", values: ["complete", "escalate", "continue"] }],
  [
    "agent:prompt",
    {
      field: "prompt_type",
      option: "type",
      values: ["plan_approval", "question", "permission", "idle", "other"],
    },
  ],
  ["agent:error", { field: "error_type", option: "type" }],
  ["agent:idle", { field: "idle" }],
  ["agent:answer", { field: "answer", several: true }],
]);

/** `tenterhook emit`. */
export const run: CommandRun = async (invocation) => {
  const { screen, json, names, cwd, environment } = invocation;
  const [type = "", word, ...rest] = names;
  const row = EVENTS.get(type);
  if (row === undefined)
    throw new TenterhookError(
      "usage_error",
      `There is no event ${JSON.stringify(type)} to emit.${didYouMean(type, EVENTS.keys())}`,
      { hint: `Events: ${[...EVENTS.keys()].join(", ")}.` },
    );
  const agent = agentId(textOption(invocation, "agent") ?? environment.TENTERHOOK_AGENT_ID ?? "");
  const value = saidValue(type, row, word, rest, invocation);
  const message = textOption(invocation, "message");
  const prompt =
    type === "agent:answer" ? waitingPrompt(agent, textOption(invocation, "prompt"), environment) : undefined;
  try {
    if (prompt !== undefined) await writeAnswer(prompt, value.answer, environment);
    const record = appendToSpool(
      {
        type,
        agent_id: agent,
        cwd,
        ...value,
        ...(prompt === undefined ? {} : { prompt }),
        ...(message === undefined ? {} : { message }),
      },
      environment,
    );
    if (json) screen.json(record);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new TenterhookError("state_unwritable", `${spoolFolder(environment)} can't be written: ${why}.`, {
      cause,
    });
  }
  return undefined;
};

function saidValue(
  type: string,
  { field, values, option, several }: EmitRow,
  word: string | undefined,
  rest: readonly string[],
  invocation: Invocation,
): Readonly<Record<string, unknown>> {
  if (field === "idle") return {};
  if (several === true && word !== undefined) return { [field]: rest.length === 0 ? word : [word, ...rest] };
  const given = option === undefined ? word : (textOption(invocation, option) ?? word);
  if (given !== undefined && rest.length === 0 && (values === undefined || values.includes(given)))
    return { [field]: given };
  const wanted = values === undefined ? "a word" : values.join(", ");
  const near = given === undefined ? "" : didYouMean(given, values ?? []);
  throw new TenterhookError("usage_error", `${type} needs one of ${wanted}.${near}`, {
    hint: `tenterhook emit ${type} --agent ID ${option === undefined ? "" : `--${option} `}${values?.[0] ?? "NAME"}`,
  });
}
