import { type ErrorCode, TenterhookError, type TenterhookErrorOptions } from "../core/base/errors.ts";

/** What in the rules or in the template of a hook an error is about. */
export interface RulePlace {
  /** The rule, counted from 0. */
  readonly rule?: number;
  /** The line of rules in the one-line language, counted from 1. */
  readonly line?: number;
  readonly column?: number;
  /** The character of a template, counted from 0. */
  readonly character?: number;
}

/** An error that knows its place. */
export class RuleError extends TenterhookError {
  readonly place: RulePlace;

  constructor(code: ErrorCode, message: string, place: RulePlace, options?: TenterhookErrorOptions) {
    super(code, message, options);
    this.place = place;
  }
}
