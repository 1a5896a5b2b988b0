/*
 * What Claude Code (2.1.327) hands to the module of a plug-in, as far as ours uses it. `$` is handed to a function only when
 * that is declared at the top of its file, and an event of it is only called: otherwise the module does not load.
 */

export type Fields = Readonly<Record<string, unknown>>;

/** What the module may ask of Claude Code. Each call is an event too, which mods of others can answer. */
export interface Engine {
  readonly plugin: { readonly name: string };
  readonly http: {
    fetch(
      url: string,
      init: { readonly method: "POST"; readonly body: string; readonly socketPath: string },
    ): Promise<{ readonly status: number; readonly text: string }>;
  };
  readonly process: {
    /** Runs a program to its end. Rejects when it can't be started, or takes longer. */
    run(
      argv: readonly string[],
      init?: {
        readonly cwd?: string;
        readonly env?: Readonly<Record<string, string>>;
        readonly stdin?: string;
        readonly timeoutMs?: number;
      },
    ): Promise<{ readonly exitCode: number; readonly stdout: string; readonly stderr: string }>;
    /** The variables that a settings hook gets besides those of the process. */
    hookEnv(): Promise<Readonly<Record<string, string>>>;
  };
  readonly session: {
    cwd(): Promise<string>;
    info(): Promise<{ readonly transcriptPath?: string; readonly promptId?: string }>;
    version(): Promise<{ readonly version: string }>;
  };
  readonly fs: { read(path: string): Promise<string> };
  readonly ui: { toast(text: string): unknown };
}

/** Passes an event on to those within. */
export interface Next<Event, Result> {
  (event: Event): Promise<Result>;
  /** True once the event was passed on. */
  readonly called: boolean;
  readonly origin: { readonly plugin: string };
  /** Passes it on past every mod of the tiers before this one. */
  to(event: Event, tier: "core"): Promise<Result>;
}

/** A call whose input may still be rewritten, or is about to run; its arguments stand beside these fields. */
export interface ToolCall extends Fields {
  readonly tool: string;
  readonly tool_use_id: string;
  readonly agentId?: string;
}

/** A call about which it is decided whether somebody has to be asked. */
export interface CheckedCall extends Omit<ToolCall, keyof Fields> {
  readonly tool: string;
  readonly tool_use_id?: string;
  readonly agentId?: string;
  readonly input: Fields;
}

export interface Permission {
  readonly decision: "allow" | "ask" | "deny";
  readonly reason?: string;
}

/** A plug-in that is about to load. */
export interface Registered {
  readonly name: string;
  readonly root?: string;
  /** `events` are those that it hooks, as patterns. */
  readonly uses?: { readonly calls?: readonly string[]; readonly events?: readonly string[] };
  /** The kinds of its parts that Claude Code could not read. */
  readonly unread?: readonly string[];
  readonly provides?: Readonly<Record<string, unknown>> & { readonly modules?: readonly unknown[] };
}

/** A request of a plug-in, or of Claude Code itself. */
export interface Request {
  readonly url: string;
  readonly init?: { readonly socketPath?: string };
}

interface Events {
  readonly "session.start": readonly [Fields, unknown];
  readonly "plugin.register": readonly [Registered, unknown];
  readonly "tool.call": readonly [ToolCall, unknown];
  readonly "tool.check": readonly [CheckedCall, Permission];
  readonly "tool.run": readonly [ToolCall, unknown];
  readonly "http.fetch": readonly [Request, unknown];
  readonly "process.run": readonly [unknown, unknown];
  readonly "process.hookEnv": readonly [unknown, unknown];
  readonly "session.cwd": readonly [unknown, unknown];
  readonly "session.info": readonly [unknown, unknown];
  readonly "session.version": readonly [unknown, unknown];
  readonly "fs.read": readonly [unknown, unknown];
}

type Handler<Event, Result> = ($: Engine, event: Event, next: Next<Event, Result>) => unknown;

export type On = <Name extends keyof Events>(
  event: Name,
  handler: Handler<Events[Name][0], Events[Name][1]>,
) => {
  /** What answers when the handler throws or does not end; without it the event goes on. */
  catch(handler: Handler<Events[Name][0], Events[Name][1]>): void;
};

/** What `tenterhook hook` writes, and its exit code. */
export interface LastGateReply {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit_code: number;
}

/** A call about which we are asked. */
export interface AskedCall {
  readonly tool: string;
  readonly tool_use_id: string;
  readonly agentId?: string | undefined;
  readonly input: Fields;
}

/** Where the call is made, as Claude Code tells a settings hook. */
export interface Site {
  readonly cwd: string;
  readonly transcript: string | undefined;
  readonly prompt: string | undefined;
  /** The variables that a settings hook gets besides those of Claude Code's process. */
  readonly variables: Readonly<Record<string, string>>;
}

/** What does not change while Claude Code runs. */
export interface Machine {
  /** Its variables, each ended by a zero byte. */
  readonly environment: string;
  /** What it sees of the file system, as client.sh names it. */
  readonly mounts: string;
  /** Our state folder; absent when nobody could tell. */
  readonly state: string | undefined;
  /** Where the daemon listens; absent where it is not to be asked. */
  readonly socket: string | undefined;
}

export type Verdict =
  | { readonly action: "pass" }
  | { readonly action: "ask" | "deny"; readonly reason: string }
  | { readonly action: "rewrite"; readonly input: Fields };
