import type { Effect } from "./events/effects.ts";
import type { AnyEvent } from "./events/payloads.ts";
import type { HookContext } from "./registration/hook-context.ts";

/** Time, as the engine needs it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds that only ever grow, with a fraction. */
  monotonic(): number;
  /**
   * Calls back after a time, never before it returns; answers a function that takes the call back. While a clock stands
   * still, a hook that takes long is ended neither by its deadline nor by the caller's signal.
   */
  after(milliseconds: number, callback: () => void): () => void;
}

/** Paths, as matchers need them. */
export interface PathNormaliser {
  /**
   * Every absolute spelling of a path that means the same file: `~`, `.` and `..` resolved, and symbolic links
   * followed where they exist. The first is the one without following links, the last is where it leads.
   */
  spellings(path: string, cwd: string): readonly string[];
}

/** Compiles a regular expression to a test that takes time linear in the text; throws when it can't. */
export type RegexCompiler = (source: string, ignoreCase: boolean) => (text: string) => boolean;

/**
 * Keeps a text that is too long for the model and answers where it is, or `undefined` when it could not be kept. Must
 * not throw.
 */
export type Spill = (
  text: string,
  from: { readonly hook: string; readonly event_id: string },
) => string | undefined;

/** How a hook decides: a function here; rules, commands, models and servers elsewhere. */
export interface Handler {
  /** `function`, `inline`, `command` … as records show it. */
  readonly type: string;
  /** What it may bring about, when that is known: refused at registration where no event of the hook allows it. */
  readonly effects?: readonly Effect[];
  /** Why it will fail for certain (no key, no such file): said when the hook is added, which succeeds. */
  readonly problem?: string;
  /**
   * True when its answer settles soon after the signal was aborted, once everything it started has ended. The engine
   * waits for that, within bounds, before it says that the hook ran out of time.
   */
  readonly tidies?: true;
  /**
   * Answers nothing, one outcome or several. Throwing or rejecting is a failure of the hook; throw a
   * {@link HookFailureError} to say of which kind.
   */
  run(event: AnyEvent, context: HookContext): unknown;
  /** How what it keeps alive is doing, in a few words, for `hooks.stats()`. */
  health?(): string;
  /**
   * Ends what it keeps alive between events (a process, a connection) once the runs under way have answered. Called
   * when its hook is removed and by `hooks.close()`; a run after that starts what it needs anew.
   */
  close?(): unknown;
}

/** Where a definition stands, and what its configuration gives its handler. */
export interface DefinitionSite {
  /** The folder its scripts, modules and relative commands start from. */
  readonly root: string;
  /** The folder of the project the hook works for, where that is another: `root` is then its configuration's own. */
  readonly project?: string;
  /** Says why what the hook runs must not run: it is not what was trusted. Asked right before something is started. */
  readonly refusal?: () => string | undefined;
  /** How llm and agent hooks judge when the definition does not say itself. */
  readonly judge?: {
    readonly model?: string;
    /** How long a verdict is kept; 0: not at all. */
    readonly cache_seconds?: number;
    /** Verdicts in one session. */
    readonly budget?: number;
  };
  /** MCP servers by name, as the configuration holds them. */
  readonly mcp_servers?: Readonly<Record<string, McpServer>>;
  /** What commands can change. Default `off`. */
  readonly sandbox?: SandboxMode;
  /** Permission rules of the configuration that forbid: they hold for an agent that judges too. */
  readonly forbids?: ForbiddingRules;
}

/** Permission rules, `Tool(specifier)`, that refuse a call or have a human asked about it. */
export interface ForbiddingRules {
  readonly deny?: readonly string[];
  readonly ask?: readonly string[];
}

/** What the commands of a hook or a tool can change. */
export type SandboxMode = "off" | "read-only" | "workspace-write";

/** How an MCP server is reached: a program, or an address. */
export interface McpServer {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

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

/** A question about an event. */
export type Predicate = (event: AnyEvent) => boolean;

/** A matcher field that looks inside a call, made ready. */
export interface Condition {
  readonly test: Predicate;
  /** Resolves when `test` may be asked; events wait for it. A rejection is a failure of the hook. */
  readonly ready?: Promise<void>;
  /** An allow of the hook counts only for events of which this is true. */
  readonly covers?: Predicate;
}

/** Compiles the matcher fields that look inside a call; brought by the rules. */
export interface ConditionCompiler {
  when(condition: unknown): Condition;
  commandPatterns(patterns: readonly string[]): Condition;
}

/** What the engine needs from outside. */
export interface Ports {
  readonly clock: Clock;
  /** A new event id. */
  readonly newId: () => string;
  readonly paths: PathNormaliser;
  readonly regex?: RegexCompiler;
  readonly spill?: Spill;
  readonly conditions?: ConditionCompiler;
  /** The folder of events that name none. Default `/`. */
  readonly cwd?: () => string;
}
