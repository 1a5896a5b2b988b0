import type { Usage } from "../core/contracts/transcript.ts";
import type { Entry } from "./codec/recorded-session.ts";

/** What a program says in one line while it works without a terminal. */
export type Said =
  | { readonly type: "session"; readonly session_id: string }
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "call";
      readonly tool_use_id: string;
      readonly tool_name: string;
      readonly tool_input: Readonly<Record<string, unknown>>;
    }
  | {
      readonly type: "result";
      readonly tool_use_id: string;
      readonly content: string;
      readonly is_error: boolean;
    }
  | {
      readonly type: "end";
      readonly text?: string;
      readonly error?: string;
      /** True when another attempt would end in the same way. */
      readonly is_lasting?: boolean;
      readonly usage?: Usage;
    };

/** How a program says what it does while nobody looks. */
export interface Headless {
  readonly args: readonly string[];
  /** The option for its model. */
  readonly model: string;
  readonly read: (line: Entry) => readonly Said[];
  /** What it says when it does not have the session that it is to continue. */
  readonly unknownSession: RegExp;
}
