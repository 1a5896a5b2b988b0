import { withoutUndefined } from "../../core/base/json.ts";
import type { Decision } from "../../core/decide/decision.ts";
import type { AnyEvent } from "../../core/events/payloads.ts";
import { actualOf } from "../cases/actual.ts";
import { eventOf } from "../cases/run-case.ts";
import type { Stubs, Tried } from "../tried-hooks.ts";
import { type HookSource, openSource, type SourceOptions } from "./open-source.ts";

/** What hooks decided, with everything that a test may ask about. */
export interface TestedDecision extends Decision {
  /** As the hooks saw it. */
  readonly event: AnyEvent;
  /** The first of the hooks that decided. */
  readonly hook?: string;
  /** The rule that decided: its name in a pack, or its text. */
  readonly rule?: string;
  /** The hooks that matched, could have changed the decision, and were not asked. */
  readonly not_evaluated: readonly string[];
}

/** How hooks are tested. */
export interface TestHooksOptions extends SourceOptions {
  /** Replies by the names of the hooks that would give them: an object, or the text that a program prints. */
  readonly stubs?: Stubs;
}

/** How one event is tried. */
export interface TryEventOptions {
  /** In addition to those of `testHooks`. */
  readonly stubs?: Stubs;
  /** The agent whose own payload the event is: `claude`, `codex`, `gemini` … */
  readonly agent?: string;
  readonly signal?: AbortSignal;
}

/** An event as hooks see it, or a command line, which is short for a call of Bash. What all events need is added. */
export type TestEvent = string | Readonly<Record<string, unknown>>;

/** Hooks under test. Events are asked one after another, in the order of the calls. */
export interface TestedHooks {
  /** What the hooks decide about a command line. */
  bash(command: string, options?: Omit<TryEventOptions, "agent">): Promise<TestedDecision>;
  /** What the hooks decide about an event, in a session of its own unless it names one. */
  fire(event: TestEvent, options?: TryEventOptions): Promise<TestedDecision>;
  /** Fires events one after another in one session; each waits for the async hooks of those before it. */
  sequence(events: readonly TestEvent[], options?: TryEventOptions): Promise<readonly TestedDecision[]>;
  /** Ends the processes and connections of the hooks. */
  close(): Promise<void>;
}

/**
 * Opens hooks for tests. Rules, functions and modules decide; hooks of a configuration that are programs, servers, models
 * or agents are not started without `run`: the decision names them in `not_evaluated` unless a stub answers for them.
 * Nothing is recorded.
 *
 * @throws ConfigError for a configuration that can't be used; TenterhookError `invalid_option`.
 * @example
 * const hooks = await testHooks(".");
 * expect(await hooks.bash("git push --force")).toDeny(/force-with-lease/);
 */
export async function testHooks(source: HookSource, options: TestHooksOptions = {}): Promise<TestedHooks> {
  const { tried, cwd, inTurn } = await openSource(source, options);
  let sessions = 0;

  const fireOne = async (
    given: TestEvent,
    session_id: string,
    { agent, stubs, signal }: TryEventOptions,
  ): Promise<TestedDecision> => {
    const event = typeof given === "string" ? { tool_name: "Bash", tool_input: { command: given } } : given;
    const own = await eventOf({ event, ...withoutUndefined({ agent }) }, cwd);
    const replies = { ...options.stubs, ...stubs };
    return testedDecision(
      await tried.fire({ session_id, cwd, ...own }, { stubs: replies, ...withoutUndefined({ signal }) }),
    );
  };
  const newSession = (): string => {
    sessions += 1;
    return `test ${sessions}`;
  };
  const fire: TestedHooks["fire"] = (event, given = {}) => inTurn(() => fireOne(event, newSession(), given));
  return {
    fire,
    bash: fire,
    sequence: (events, given = {}) =>
      inTurn(async () => {
        const session = newSession();
        const decisions: TestedDecision[] = [];
        for (const event of events) {
          decisions.push(await fireOne(event, session, given));
          await tried.hooks.settled();
        }
        return decisions;
      }),
    close: () => inTurn(() => tried.close()),
  };
}

export function testedDecision(tried: Tried): TestedDecision {
  const { event, decision, not_evaluated } = tried;
  const { hook, rule } = actualOf(tried);
  return { ...decision, ...withoutUndefined({ hook, rule }), event, not_evaluated };
}
