import type { HookInput } from "../../core/decide/decision.ts";
import type { ContextItem } from "../../core/events/outcomes.ts";

/** What starts a turn: the words of the user, a hook or another agent; or nothing, when one that was begun goes on. */
export type TurnInput =
  | { readonly type: "prompt"; readonly text: string }
  | { readonly type: "hook_input"; readonly input: HookInput }
  | {
      readonly type: "task";
      readonly text: string;
      readonly context: readonly ContextItem[];
      /** The id of the turn, by which the call that gave the task finds it again. */
      readonly turn_id: string;
    }
  | { readonly type: "continue"; readonly answers?: unknown };

/** What starts a turn that was not begun before. */
export type NewInput = Exclude<TurnInput, { readonly type: "continue" }>;

/** What it says, as it was said. */
export function inputText(input: NewInput): string {
  return input.type === "hook_input" ? input.input.text : input.text;
}
