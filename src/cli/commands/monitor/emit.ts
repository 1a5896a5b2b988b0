import { allAdapters } from "../../../adapters/agents.ts";
import { errorMessage } from "../../../core/base/error-text.ts";
import { TenterhookError } from "../../../core/base/errors.ts";
import { didYouMean } from "../../../core/base/suggest.ts";
import { type MonitorEvent, PROMPT_TYPES } from "../../../core/contracts/monitor.ts";
import { writeAnswer } from "../../../monitor/answers.ts";
import { appendToSpool, spoolFolder } from "../../../monitor/spool.ts";
import { waitingPrompts } from "../../../monitor/waiting.ts";
import { type CommandRun, type Invocation, textOption } from "../../command-line/command.ts";
import { usageError } from "../../command-line/usage-error.ts";
import { agentId } from "./agent/agent-id.ts";

/** The field of an event, and its allowed values. */
interface EmitRow {
  readonly field?: string;
  readonly values?: readonly string[];
  /** The value is given as this option. */
  readonly option?: string;
  /** Several values, one for each question. */
  readonly several?: true;
}

const EVENTS: ReadonlyMap<string, EmitRow> = new Map<string, EmitRow>([
  ["agent:signal", { field: "signal", values: ["complete", "escalate", "continue"] }],
  ["agent:prompt", { field: "prompt_type", option: "type", values: PROMPT_TYPES }],
  ["agent:error", { field: "error_type", option: "type" }],
  ["agent:idle", {}],
  ["agent:answer", { field: "answer", several: true }],
]);

export const run: CommandRun = async (invocation) => {
  const { screen, json, names, cwd, environment } = invocation;
  const [type = "", ...words] = names;
  const row = EVENTS.get(type);
  if (row === undefined)
    throw usageError(
      `There is no event ${JSON.stringify(type)} to emit.${didYouMean(type, EVENTS.keys())}`,
      `Events: ${[...EVENTS.keys()].join(", ")}.`,
    );
  const value = givenValue(type, row, words, invocation);
  const prompt = type === "agent:answer" ? waitingPrompt(invocation) : undefined;
  const agent = prompt?.agent_id ?? agentId(agentOption(invocation) ?? "");
  const message = textOption(invocation, "message");
  const session = await sessionOf(invocation);
  try {
    if (prompt !== undefined && !(await writeAnswer(prompt.id, value.answer, environment)))
      throw new TenterhookError("decision_closed", `Somebody has answered ${agent} already.`);
    const record = appendToSpool(
      {
        type,
        agent_id: agent,
        cwd,
        ...session,
        ...value,
        ...(prompt === undefined ? {} : { prompt: prompt.id }),
        ...(message === undefined ? {} : { message }),
      },
      environment,
    );
    if (json) screen.json(record);
  } catch (cause) {
    if (cause instanceof TenterhookError) throw cause;
    const why = errorMessage(cause);
    throw new TenterhookError("state_unwritable", `${spoolFolder(environment)} can't be written: ${why}.`, {
      cause,
    });
  }
};

/** The session that an event belongs to: as given, else the one that this process is part of. */
async function sessionOf(invocation: Invocation): Promise<{ readonly session_id?: string }> {
  const { environment } = invocation;
  const ours = (await allAdapters()).flatMap(
    ({ sessionVariable = "" }) => environment[sessionVariable] ?? [],
  );
  const [session_id] = [textOption(invocation, "session") ?? [], ours].flat();
  return session_id ? { session_id } : {};
}

function givenValue(
  type: string,
  { field, values, option, several }: EmitRow,
  words: readonly string[],
  invocation: Invocation,
): Readonly<Record<string, unknown>> {
  const named = option === undefined ? undefined : textOption(invocation, option);
  const [given, ...more] = named === undefined ? words : [named, ...words];
  if (field === undefined && given === undefined) return {};
  if (field !== undefined && several === true && given !== undefined)
    return { [field]: more.length === 0 ? given : words };
  const isKnown = given !== undefined && (values === undefined || values.includes(given));
  if (field !== undefined && isKnown && more.length === 0) return { [field]: given };
  const near = given === undefined ? "" : didYouMean(given, values ?? []);
  const name = option === undefined ? [] : [`--${option}`];
  const example = field === undefined ? [] : [...name, values?.[0] ?? "NAME"];
  throw usageError(
    `${type} ${needed(field, values)}.${near}`,
    ["tenterhook emit", type, "--agent ID", ...example].join(" "),
  );
}

function needed(field: string | undefined, values: readonly string[] | undefined): string {
  if (field === undefined) return "takes no value";
  return values === undefined
    ? `needs one word: the ${field.replaceAll("_", " ")}`
    : `needs one of ${values.join(", ")}`;
}

/**
 * The prompt that waits for an answer: the one that begins like this, or the last of the agent. Without an agent, the only
 * one.
 *
 * @throws TenterhookError `no_prompt` when none waits; `usage_error` when several do and no agent is named.
 */
function waitingPrompt(invocation: Invocation): MonitorEvent {
  const { environment } = invocation;
  const agent = agentOption(invocation);
  const beginning = textOption(invocation, "prompt");
  const found = waitingPrompts(environment).filter(
    ({ id, agent_id }) =>
      (agent === undefined || agent_id === agentId(agent)) && id.startsWith(beginning ?? ""),
  );
  const agents = new Set(found.map(({ agent_id }) => agent_id));
  const hint = "tenterhook waiting shows who waits, and for what.";
  if (agents.size > 1) throw usageError(`Several agents wait: ${[...agents].join(", ")}.`, hint);
  const last = found.at(-1);
  if (last !== undefined) return last;
  const which = beginning === undefined ? "" : ` to a prompt ${JSON.stringify(beginning)}`;
  const who = agent === undefined ? "No agent waits for an answer" : `${agent} waits for no answer`;
  throw new TenterhookError("no_prompt", `${who}${which}.`);
}

function agentOption(invocation: Invocation): string | undefined {
  return textOption(invocation, "agent") ?? invocation.environment.TENTERHOOK_AGENT_ID;
}
