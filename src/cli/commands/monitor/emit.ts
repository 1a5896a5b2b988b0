import { allAdapters } from "../../../adapters/agents.ts";
import { errorMessage } from "../../../core/base/error-text.ts";
import { TenterhookError } from "../../../core/base/errors.ts";
import { didYouMean } from "../../../core/base/suggest.ts";
import { PROMPT_TYPES } from "../../../core/contracts/questions.ts";
import { reportedFrom } from "../../../monitor/report/agent-process.ts";
import { appendToSpool, spoolFolder } from "../../../monitor/report/spool.ts";
import type { EventType, SaidFields } from "../../../shared/monitor/events.ts";
import { type CommandRun, type Invocation, textOption } from "../../command-line/command.ts";
import { standingFor } from "../../command-line/person.ts";
import { usageError } from "../../command-line/usage-error.ts";
import { agentId } from "./watch/name.ts";

interface EmitRow {
  readonly type: EventType;
  readonly field?: string;
  readonly values?: readonly string[];
  /** The value is given as this option. */
  readonly option?: string;
}

const EVENTS: ReadonlyMap<string, EmitRow> = new Map<string, EmitRow>([
  ["agent:signal", { type: "agent:signal", field: "signal", values: ["complete", "escalate", "continue"] }],
  ["agent:prompt", { type: "agent:prompt", field: "prompt_type", option: "type", values: PROMPT_TYPES }],
  ["agent:error", { type: "agent:error", field: "error_type", option: "type" }],
  ["agent:idle", { type: "agent:idle" }],
]);

export const run: CommandRun = async (invocation) => {
  const { screen, json, names, cwd, environment } = invocation;
  const [type = "", ...words] = names;
  const row = EVENTS.get(type);
  if (row === undefined)
    throw usageError(
      `There is no event ${JSON.stringify(type)} to emit.${didYouMean(type, EVENTS.keys())}`,
      `Events: ${[...EVENTS.keys()].join(", ")}. tenterhook answer answers an agent.`,
    );
  const value = givenValue(type, row, words, invocation);
  const agent = agentId(textOption(invocation, "agent") ?? environment.TENTERHOOK_AGENT_ID ?? "");
  const message = textOption(invocation, "message");
  const session = await sessionOf(invocation);
  // A person may say something about any agent.
  const byPerson = (await standingFor(invocation)).is === "person";
  try {
    const record = appendToSpool(
      {
        type: row.type,
        agent_id: agent,
        cwd,
        ...session,
        ...value,
        ...(byPerson ? {} : reportedFrom(invocation.parent)),
        ...(message === undefined ? {} : { message }),
      },
      environment,
    );
    if (json) screen.json(record);
  } catch (cause) {
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
  { field, values, option }: EmitRow,
  words: readonly string[],
  invocation: Invocation,
): SaidFields {
  const named = option === undefined ? undefined : textOption(invocation, option);
  const [given, ...more] = named === undefined ? words : [named, ...words];
  if (field === undefined && given === undefined) return {};
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
