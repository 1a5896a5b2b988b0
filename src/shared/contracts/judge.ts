import type { ForbiddingRules } from "../../core/contracts/definition-site.ts";

/** What a model has done so far in a conversation that continues. */
export interface PlayedAnswers {
  /** How many of its answers are stored. */
  readonly answers: number;
  /** True when it failed instead of giving the next one, which ended the run. */
  readonly failed: boolean;
}

/** A model that plays a script, and so has to know where in the script a conversation is. */
export interface PlayingModel {
  /** Called before its first request, when a stored conversation continues. */
  goOnAfter(played: PlayedAnswers): void;
}

/** A question to a model that must be answered in a given shape. */
export interface JudgeRequest {
  /** `provider/model`. */
  readonly model: string;
  /** The address of a model whose provider we do not know. */
  readonly base_url?: string;
  /** The folder that a file in the model's name is relative to. */
  readonly root?: string;
  /** What to do: never holds text of the event. */
  readonly system: string;
  readonly prompt: string;
  /** JSON Schema of the answer; without one any JSON may come. */
  readonly schema?: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

/** What a model answered. */
export interface JudgeReply {
  /** The whole reply as written. It may not be a verdict. */
  readonly text: string;
  readonly usage?: { readonly input_tokens: number; readonly output_tokens: number };
}

/** Models that give verdicts; provided by `models/`. */
export interface Judges {
  /** Why this model will certainly fail: an unknown provider, a missing key. */
  problem(
    request: Pick<JudgeRequest, "model" | "base_url" | "root">,
  ): string | undefined | Promise<string | undefined>;
  /** Rejects with a {@link HookFailureError} of the right kind. */
  ask(request: JudgeRequest): Promise<JudgeReply>;
}

/** A question to an agent that can read files before it replies. */
export interface JudgeAgentRequest extends Omit<JudgeRequest, "schema"> {
  /** The folder it works in. */
  readonly cwd: string;
  /** The most requests to its model. */
  readonly max_turns: number;
  /** What it must not read. There is no human to ask. */
  readonly forbids?: ForbiddingRules;
}

/** An agent with read-only tools and without hooks; provided by `agent/`. Rejects as {@link Judges} do. */
export type JudgeAgent = (request: JudgeAgentRequest) => Promise<JudgeReply>;
