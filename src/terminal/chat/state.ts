import type { Approval, ApprovalRequest } from "../../agent.ts";
import type { UserQuestion } from "../../core/contracts/tool.ts";
import { type CellState, NO_CELLS } from "../cells/state.ts";
import { EMPTY_LINE, type TypedLine } from "../input/line.ts";

/** A question to the human that takes the place of the input line. */
export type Dialog =
  | {
      readonly type: "approval";
      readonly id: number;
      readonly request: ApprovalRequest;
      /** What a yes for the session would allow; absent when there is no such yes. */
      readonly lasting?: string;
      readonly until?: number;
      /** What is being typed to the model, after `w`. */
      readonly words?: TypedLine | undefined;
    }
  | {
      readonly type: "question";
      readonly id: number;
      readonly questions: readonly UserQuestion[];
      readonly answers: readonly string[];
      readonly until?: number;
      readonly line: TypedLine;
    }
  | {
      readonly type: "choose";
      readonly title: string;
      readonly options: readonly { readonly value: string; readonly label: string; readonly age: string }[];
      readonly at: number;
    };

/** Names of files for the word at the cursor. */
export interface Completion {
  readonly begin: number;
  readonly names: readonly string[];
  readonly at: number;
}

export interface ChatState {
  readonly cells: CellState;
  readonly line: TypedLine;
  /** What the user typed, the newest last; never what hooks said. */
  readonly history: readonly string[];
  /** Where the user is in it, and what was typed before. */
  readonly recall?: { readonly at: number; readonly draft: string } | undefined;
  readonly completion?: Completion | undefined;
  /** Asked one after the other. */
  readonly dialogs: readonly Dialog[];
  /** Since when the agent works; absent when it waits for the user. */
  readonly busySince?: number | undefined;
  readonly notice?: string | undefined;
  /** True after a Ctrl-C, until another key is pressed or a turn begins. */
  readonly leavesNext: boolean;
  readonly model: string;
  /** `undefined` before the agent is there. */
  readonly hookCount?: number;
  /** True for a run that is watched: there is no input line, and nothing to type but answers. */
  readonly watches: boolean;
}

export const NEW_CHAT: ChatState = {
  cells: NO_CELLS,
  line: EMPTY_LINE,
  history: [],
  dialogs: [],
  leavesNext: false,
  model: "",
  watches: false,
};

/** Something to do outside of the screen. */
export type ChatEffect =
  | { readonly type: "submit"; readonly text: string }
  | { readonly type: "complete"; readonly word: string; readonly begin: number }
  | { readonly type: "interrupt" }
  | { readonly type: "leave" }
  | { readonly type: "show_all" }
  | { readonly type: "approval"; readonly id: number; readonly approval: Approval }
  | {
      readonly type: "answers";
      readonly id: number;
      readonly answers: Readonly<Record<string, string>> | undefined;
    }
  | { readonly type: "chosen"; readonly value: string };

export interface ChatNext {
  readonly state: ChatState;
  readonly effect?: ChatEffect;
}
