import { errorMessage } from "../core/error-text.ts";
import { isRecord } from "../core/json.ts";
import type { PermissionMode, TaskRequest, ToolHost, ToolResult, UserQuestion } from "../core/tool.ts";
import { newMarker } from "../node/process/marker.ts";
import { orAborted } from "./abortable.ts";
import { approval } from "./approval.ts";
import { TurnSuspended } from "./ended.ts";
import { answerOf, promptHuman } from "./prompt-human.ts";
import { type AgentSession, emit, type Turn } from "./session.ts";
import { startTask } from "./subagents/start-task.ts";
import type { PassedCall } from "./tool-gate.ts";

/** What the agent offers the tool of one call. */
export class CallHost implements ToolHost {
  readonly #session: AgentSession;
  readonly #turn: Turn;
  readonly #passed: PassedCall;

  constructor(session: AgentSession, turn: Turn, passed: PassedCall) {
    this.#session = session;
    this.#turn = turn;
    this.#passed = passed;
  }

  get lifetime(): AbortSignal {
    return this.#session.lifetime.signal;
  }

  get mark(): string {
    const { programs } = this.#session;
    programs.mark ??= newMarker();
    return programs.mark;
  }

  get mode(): PermissionMode {
    return this.#session.mode;
  }

  async setMode(mode: PermissionMode, plan?: string): Promise<{ agreed: boolean; feedback?: string }> {
    const refusal =
      plan === undefined ? undefined : await refusedPlan(this.#session, this.#turn, this.#passed, plan);
    if (refusal !== undefined) return refusal;
    this.#session.mode = mode;
    return { agreed: true };
  }

  askUser(
    questions: readonly UserQuestion[],
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, string>> | undefined> {
    const given = answersOf(this.#passed.input.answers, questions);
    if (given !== undefined) return Promise.resolve(given);
    return askUser(this.#session, this.#turn, this.#passed, questions, signal);
  }

  startTask(request: TaskRequest, signal: AbortSignal): Promise<ToolResult> {
    const { tool_use_id, tool_name } = this.#passed.call;
    const about = { tool_use_id, tool_name };
    return startTask(this.#session, this.#turn, about, request, {
      signal,
      deliverLater: (result) => this.deliverLater(result),
    });
  }

  deliverLater(result: Promise<ToolResult>): void {
    deliverLater(this.#session, this.#passed, result);
  }

  setTodos(todos: readonly unknown[]): void {
    emit(this.#session, { type: "todos", todos });
  }
}

async function refusedPlan(
  session: AgentSession,
  turn: Turn,
  { call }: PassedCall,
  plan: string,
): Promise<{ readonly agreed: false; readonly feedback?: string } | undefined> {
  const told = await promptHuman(
    session,
    turn,
    "plan_approval",
    { plan },
    "The plan waits for your approval.",
  );
  const { tool_use_id, tool_name } = call;
  const answer = answerOf(told ?? given(session, tool_use_id));
  if (answer === true) return undefined;
  if (answer !== undefined) return { agreed: false, ...(answer === false ? {} : { feedback: answer }) };
  const { suspend, approve } = session.options;
  if (suspend === true && approve === undefined)
    throw new TurnSuspended({ type: "plan", tool_use_id, tool_name, plan });
  const said = await approval(session, { kind: "plan", subject: plan }, turn.aborted);
  if (said.decision !== "refuse") return undefined;
  return { agreed: false, ...(said.feedback === undefined ? {} : { feedback: said.feedback }) };
}

async function askUser(
  session: AgentSession,
  turn: Turn,
  { call }: PassedCall,
  questions: readonly UserQuestion[],
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>> | undefined> {
  const { tool_use_id, tool_name } = call;
  const kept = answersOf(given(session, tool_use_id), questions);
  if (kept !== undefined) return kept;
  const first = questions[0]?.question ?? "";
  const answered = answersOf(await promptHuman(session, turn, "question", questions, first), questions);
  if (answered !== undefined) return answered;
  const { askUser: ask, suspend } = session.options;
  if (ask === undefined && suspend === true)
    throw new TurnSuspended({ type: "question", tool_use_id, tool_name, questions });
  if (ask === undefined) return undefined;
  emit(session, { type: "question", questions });
  return orAborted(ask(questions, signal), turn.aborted);
}

/** What a human said while the agent was suspended, once. */
function given({ answers }: AgentSession, tool_use_id: string): unknown {
  const answer = answers.get(tool_use_id);
  answers.delete(tool_use_id);
  return answer;
}

/** A hook answers with one text for the one question, or with texts by question. */
function answersOf(
  answer: unknown,
  questions: readonly UserQuestion[],
): Readonly<Record<string, string>> | undefined {
  if (typeof answer === "string")
    return Object.fromEntries(questions.map(({ question }) => [question, answer]));
  if (!isRecord(answer)) return undefined;
  return Object.fromEntries(Object.entries(answer).map(([question, text]) => [question, String(text)]));
}

/** Remembers work that goes on; what comes of it is told at the loop's next safe point. */
function deliverLater(
  { background }: AgentSession,
  { call, input }: PassedCall,
  result: Promise<ToolResult>,
): void {
  const { tool_name, tool_use_id } = call;
  const done = (late: ToolResult): void => {
    background.running -= 1;
    background.done.push({ tool_name, tool_use_id, tool_input: input, result: late });
  };
  background.running += 1;
  result.then(done, (error: unknown) => done({ content: errorMessage(error), is_error: true }));
}
