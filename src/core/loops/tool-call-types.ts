import type { Approval } from "../contracts/approval.ts";
import type { ToolInput } from "../contracts/tool-types.ts";
import type { Decision } from "../decide/decision.ts";
import type { FireOptions } from "../decide/fired-event.ts";
import type { EventContext } from "../events/payloads.ts";
import type { DecidedCall, SuspendedCall } from "./judged-call.ts";

/** What is called, by whom, and what goes along with every event about it. */
export type CallToJudge<Input extends object = ToolInput> = Omit<EventContext, "session_id" | "cwd"> &
  Pick<FireOptions, "choose" | "signal" | "values" | "agent" | "tool"> & {
    /** Whose call it is. Default: one session for all calls of the set that name none. */
    readonly session_id?: string | undefined;
    /** Default: the folder of the process. */
    readonly cwd?: string | undefined;
    readonly tool_name: string;
    /** Plain data; dates and other values with `toJSON` become JSON. */
    readonly tool_input: Input;
    readonly tool_use_id?: string | undefined;
    /**
     * True: the call waits when a human has to approve it and nobody can be asked here. Suspend hooks are told, and
     * `toolCall` throws a {@link ToolSuspendedError}.
     */
    readonly suspend?: boolean | undefined;
  };

/** Asks a human about a call. An edited input passes the hooks again. */
export type AskAboutCall<Input extends object = ToolInput> = (
  decision: Decision,
  input: Input,
) => Approval | Promise<Approval>;

/** Who answers when a hook wants a human asked: somebody who is here, or who was asked before. */
type Answering<Input extends object> =
  | {
      /** Without it the call is refused, or waits with `suspend`. */
      readonly approval?: AskAboutCall<Input> | undefined;
      readonly waiting_for?: undefined;
      readonly decided?: undefined;
    }
  | {
      /** The answer, or who can be asked now. */
      readonly approval?: Approval | AskAboutCall<Input> | undefined;
      /** What the call waited for. Hooks judge it again; the answer counts for the same input and the same hooks. */
      readonly waiting_for: SuspendedCall<Input>;
      readonly decided?: undefined;
    }
  | {
      readonly approval?: Approval | AskAboutCall<Input> | undefined;
      /**
       * What `hooks.decide` returned for this call: hooks do not judge it again. One of another call, or from before a hook
       * was added, is not believed: then it is what the call waited for.
       */
      readonly decided: DecidedCall<Input>;
      readonly waiting_for?: undefined;
    };

/** A tool call of your own loop, to run under the hooks. */
export type ToolCall<Input extends object = ToolInput, Result = unknown> = CallToJudge<Input> &
  Answering<Input> & {
    /**
     * Runs the tool. The input is a copy of what the hooks passed; with no hook to ask, the caller's own object. An async
     * generator runs to its end; its last value is the result.
     */
    readonly execute: (input: Input, context: { readonly signal: AbortSignal }) => Result | Promise<Result>;
    /** The tool may run twice: a hook can have it tried again when it failed (`retry`). */
    readonly replay?: "safe" | undefined;
  };
