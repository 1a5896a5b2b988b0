import type { ForbiddingRules } from "./definition-site.ts";

/** What a model has had to do with a conversation that goes on. */
export interface PlayedAnswers {
  /** How many answers of it are kept. */
  readonly answers: number;
  /** True when it failed in the place of the next one, and that was the end of the run. */
  readonly failed: boolean;
}

/** A model that does not answer by the conversation alone, and has to know where it was: one that plays a script. */
export interface PlayingModel {
  /** Called before it is asked for the first time, when a kept conversation goes on. */
  goOnAfter(played: PlayedAnswers): void;
}

/** A question to a model that must be answered in a given shape. */
export interface JudgeRequest {
  /** `provider/model`. */
  readonly model: string;
  /** Where the model is served, when its provider is none we know. */
  readonly base_url?: string;
  /** The folder a file that the model's name gives starts from. */
  readonly root?: string;
  /** What to do: never holds text of the event. */
  readonly system: string;
  readonly prompt: string;
  /** JSON Schema of the answer. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

/** What a model answered. */
export interface JudgeReply {
  /** The whole answer as it was written; whether it is a verdict, the reader finds out. */
  readonly text: string;
  readonly usage?: { readonly input_tokens: number; readonly output_tokens: number };
}

/** Models that give verdicts; brought by `models/`. */
export interface Judges {
  /** Why this model can't answer for certain: an unknown provider, a missing key. */
  problem(
    request: Pick<JudgeRequest, "model" | "base_url" | "root">,
  ): string | undefined | Promise<string | undefined>;
  /** Rejects with a {@link HookFailureError} that says of which kind. */
  ask(request: JudgeRequest): Promise<JudgeReply>;
}

/** A question to an agent that can look around before it answers. */
export interface JudgeAgentRequest extends Omit<JudgeRequest, "schema"> {
  /** The folder it looks around in. */
  readonly cwd: string;
  /** How often its model may be asked. */
  readonly max_turns: number;
  /** What it must not read. Nobody can be asked. */
  readonly forbids?: ForbiddingRules;
}

/** An agent with tools that only read, which no hook watches; brought by `agent/`. Rejects as {@link Judges} do. */
export type JudgeAgent = (request: JudgeAgentRequest) => Promise<JudgeReply>;
