import type { ShellCommand } from "../../rules/shell/analysis.ts";
import type { JudgedCall } from "./judged-call.ts";

/** Whether a rule is about a call; `maybe` when a part of the call can't be known. */
export type Fit = "yes" | "maybe" | "no";

/** A rule made ready. As a deny or ask it is read widely, as an allow narrowly. */
export interface PermissionRule {
  /** The rule as written. */
  readonly text: string;
  /** As a deny or ask: is the call, or any part of it, what the rule is about? */
  concerns(judged: JudgedCall): Fit;
  /** As an allow: is everything the call does what the rule is about? */
  covers(judged: JudgedCall): boolean;
  /** As an allow: is this one command of a shell line what the rule is about? */
  coversCommand?(command: ShellCommand): boolean;
  /** As an allow: may this file be edited? Asked for the files a shell line writes by redirection. */
  coversEdit?(path: string, cwd: string): boolean;
  /** As a deny: does it forbid to read this file? */
  hides?(path: string, cwd: string): boolean;
}
