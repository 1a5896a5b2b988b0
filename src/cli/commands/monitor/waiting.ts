import { shownWaiting } from "../../../agent/resume/answers.ts";
import { storedState } from "../../../agent/resume/restore.ts";
import type { WaitingFor } from "../../../agent.ts";
import { isRecord } from "../../../core/base/json.ts";
import type { MonitorEvent } from "../../../core/contracts/monitor.ts";
import { optionsText, readQuestion } from "../../../core/contracts/questions.ts";
import { waitingPrompts } from "../../../monitor/waiting.ts";
import type { CommandRun, Invocation } from "../../command-line/command.ts";
import { ago, hanging, harmless, shortPath } from "../../command-line/screen/text.ts";
import { questionLines } from "../agent/run/view/result-lines.ts";
import { sessionStore } from "../agent/sessions/session-store.ts";

/** An agent that waits, as it is shown. */
interface Waiting {
  readonly agent_id: string;
  readonly host: string;
  readonly prompt_type: string;
  readonly prompt?: string;
  readonly cwd?: string;
  readonly since: string;
  readonly waits_until?: string;
  readonly questions: readonly string[];
  /** A command for each answer. */
  readonly answers: readonly string[];
}

export const run: CommandRun = async (invocation) => {
  const { screen, json, environment, cwd } = invocation;
  const held = waitingPrompts(environment).map((record) => heldPrompt(record));
  const waiting = [...held, ...(await suspended(invocation))];
  if (json) return screen.json({ waiting });
  if (waiting.length === 0) {
    screen.print("No agent waits for an answer here.");
    return undefined;
  }
  const { bold, dim } = screen.paint;
  for (const [at, one] of waiting.entries()) {
    if (at > 0) screen.print("");
    const kind = one.prompt_type.replace("_", " ");
    screen.print(
      `${bold(harmless(one.agent_id))}  ${kind}  ${dim(`${harmless(one.host)}, ${ago(one.since)}`)}`,
    );
    const line = (name: string, text: string): void =>
      screen.print(hanging(dim(name), harmless(text), screen.width, 10));
    if (one.cwd !== undefined) line("folder", shortPath(one.cwd, cwd));
    if (one.waits_until !== undefined) line("until", one.waits_until.slice(0, 19).replace("T", " "));
    for (const question of one.questions) line("asks", question);
    for (const answer of one.answers) line("answer", answer);
  }
};

function heldPrompt({
  id,
  agent_id,
  host,
  prompt_type,
  question,
  cwd,
  time,
  waits_until,
}: MonitorEvent): Waiting {
  const type = String(prompt_type);
  const questions = questionsOf(type, question);
  const command = `tenterhook emit agent:answer --agent ${agent_id}`;
  const words = type === "question" ? [questions.map(() => '"…"').join(" ")] : (ANSWERS.get(type) ?? ['"…"']);
  return {
    agent_id,
    host: typeof host === "string" ? host : "agent",
    prompt_type: type,
    prompt: id,
    ...(typeof cwd === "string" ? { cwd } : {}),
    since: time,
    ...(typeof waits_until === "string" ? { waits_until } : {}),
    questions,
    answers: words.map((word) => `${command} ${word}`),
  };
}

const ANSWERS: ReadonlyMap<string, readonly string[]> = new Map([
  ["plan_approval", ["accept", "cancel", '"what to change"']],
  ["permission", ["allow", "deny"]],
]);

/** Each question in a line, with its numbered options. */
function questionsOf(type: string, question: unknown): readonly string[] {
  if (type === "permission" && isRecord(question))
    return [`May ${question.tool_name} run? ${JSON.stringify(question.tool_input)}`];
  const all: readonly unknown[] = Array.isArray(question) ? question : [question];
  return all.map(readQuestion).map(({ question: asked = "", options }) => {
    return options.length === 0 ? asked : `${asked} (${optionsText(options)})`;
  });
}

/** Sessions of our own agent that wait for an answer. */
async function suspended({ environment, signal }: Invocation): Promise<readonly Waiting[]> {
  const store = sessionStore(environment);
  try {
    const { transcripts } = await store.list({ status: "suspended", root: true, limit: 100, signal });
    const found = await Promise.all(
      transcripts.map(async ({ agent_id, session_id, cwd, updated_at }) => {
        const session = await store.load(agent_id, { session_id, signal, onDamage: () => undefined });
        const { waiting } = session === undefined ? {} : storedState(session);
        if (waiting === undefined) return [];
        const waiting_for = shownWaiting(waiting);
        const prompt_type = typeOf(waiting_for);
        const words = prompt_type === "question" ? ['"…"'] : ["yes", "no", '"what to do instead"'];
        const one: Waiting = {
          agent_id,
          host: "tenterhook",
          prompt_type,
          ...(cwd === undefined ? {} : { cwd }),
          since: updated_at,
          questions: questionLines(waiting_for),
          answers: words.map((word) => `tenterhook resume ${agent_id} ${word}`),
        };
        return [one];
      }),
    );
    return found.flat();
  } finally {
    await store.close();
  }
}

function typeOf(waiting: WaitingFor): string {
  return waiting.type === "subagent" ? typeOf(waiting.waiting_for) : waiting.type;
}
