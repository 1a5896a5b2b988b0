import { errorMessage } from "../../../core/base/error-text.ts";
import { readAgreement } from "../../../core/contracts/approval.ts";
import type {
  BackgroundTask,
  PermissionMode,
  StartedTask,
  TaskRequest,
  ToolHost,
  ToolResult,
  UserQuestion,
} from "../../../core/contracts/tool.ts";
import { newMarker } from "../../../node/process/running.ts";
import type { ResultMarks } from "../../messages/messages.ts";
import { TurnSuspended } from "../../turn-ended.ts";
import type { WaitingFor } from "../../waiting-for.ts";
import { answerTo } from "../session/answers.ts";
import { askApproval, type HumanAnswer, promptHuman } from "../session/ask-human.ts";
import { beginWork, listTask } from "../session/background.ts";
import { fire } from "../session/fire.ts";
import { changeMode } from "../session/save-status.ts";
import { type AgentSession, emit, type Turn } from "../session/session.ts";
import { loadSkill } from "../skills/load-skill.ts";
import { answersOf, askUser } from "./ask-user.ts";
import type { PassedCall } from "./calls.ts";

/** What the agent offers to the tool of one call. */
export class CallHost implements ToolHost {
  readonly #turn: Turn;
  readonly #session: AgentSession;
  readonly #passed: PassedCall;

  marks: ResultMarks = {};

  constructor(turn: Turn, passed: PassedCall) {
    this.#turn = turn;
    this.#session = turn.session;
    this.#passed = passed;
  }

  get lifetime(): AbortSignal {
    return this.#session.lifetime.signal;
  }

  get mark(): string {
    const { programs } = this.#session.toolbox;
    programs.mark ??= newMarker();
    return programs.mark;
  }

  get mode(): PermissionMode {
    return this.#session.mode;
  }

  get mode_before(): PermissionMode {
    return this.#session.mode_before;
  }

  async setMode(mode: PermissionMode, plan?: string): Promise<{ agreed: boolean; feedback?: string }> {
    const session = this.#session;
    const refusal = plan === undefined ? undefined : await refusedPlan(this.#turn, this.#passed, plan);
    if (refusal !== undefined) return refusal;
    const old_mode = session.mode;
    await changeMode(session, mode);
    const { tool_use_id } = this.#passed.call;
    if (mode !== old_mode) await fire(this.#turn, "ModeChanged", { old_mode, new_mode: mode, tool_use_id });
    return { agreed: true };
  }

  askUser(
    questions: readonly UserQuestion[],
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, string>> | undefined> {
    const { call, input } = this.#passed;
    const given = answersOf(input.answers, questions);
    if (given !== undefined) return Promise.resolve(given);
    return askUser(this.#turn, call, questions, signal);
  }

  startTask(request: TaskRequest, signal: AbortSignal): Promise<ToolResult> {
    const { tool_use_id, tool_name } = this.#passed.call;
    return this.#session.subagents.start(
      { parent: this.#session, turn: this.#turn, call: { tool_use_id, tool_name }, request },
      {
        signal,
        deliverLater: (result, child) => {
          this.deliverLater(result, child);
          this.marks = { in_background: { agent_id: child.id } };
        },
      },
    );
  }

  get tasks(): ReadonlyMap<string, StartedTask> {
    return this.#session.background.tasks;
  }

  /** The loop delivers the result at the next safe point. */
  deliverLater(result: Promise<ToolResult>, task?: BackgroundTask): void {
    this.marks = { in_background: {} };
    const { background, identity } = this.#session;
    const { tool_name, tool_use_id } = this.#passed.call;
    const call = { tool_name, tool_use_id, tool_input: this.#passed.input };
    const done = beginWork(background, identity.agent_id, call);
    const ended = result.then(done, (error: unknown) =>
      done({ content: errorMessage(error), is_error: true }),
    );
    if (task !== undefined) listTask(background, task, ended);
  }

  async loadSkill(skill: string, args: string): Promise<ToolResult> {
    const { tool_use_id } = this.#passed.call;
    const { skill_hooks, ...result } = await loadSkill(this.#turn, { skill, args, tool_use_id });
    if (skill_hooks !== undefined) this.marks = { skill_hooks };
    return result;
  }

  get memory_files(): readonly string[] {
    return this.#session.memoryFiles.paths;
  }

  setTodos(todos: readonly unknown[]): void {
    emit(this.#session, { type: "todos", todos });
  }
}

async function refusedPlan(
  turn: Turn,
  { call }: PassedCall,
  plan: string,
): Promise<{ readonly agreed: false; readonly feedback?: string } | undefined> {
  const { session } = turn;
  const { tool_use_id, tool_name } = call;
  const waits: WaitingFor = { type: "plan", tool_use_id, tool_name, plan };
  const prompt = { prompt_type: "plan_approval", question: plan, waits } as const;
  const stored = answerTo(session, waits);
  const asks = () => promptHuman(turn, prompt, "The plan waits for your approval.");
  const answer = stored ?? (await asks()).answer;
  if (answer !== undefined) return refusalIn(readAgreement(answer, "The answer to the plan"));
  const { suspend, approval } = session.options;
  if (suspend === true && approval?.ask === undefined) throw new TurnSuspended(waits);
  const agreement = await askApproval(session, { kind: "plan", subject: plan }, turn.signal);
  if (suspend === true && "late" in agreement) throw new TurnSuspended(waits);
  return refusalIn(agreement);
}

function refusalIn(answer: HumanAnswer): { readonly agreed: false; readonly feedback?: string } | undefined {
  if (answer.allow) return undefined;
  const feedback = "not_asked" in answer ? answer.not_asked : answer.feedback;
  return { agreed: false, feedback };
}
