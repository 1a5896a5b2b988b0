import type { HookInput } from "../../core/decide/decision.ts";

/** What is known of a text that a program wrote: which program, where it wrote it, and how it ended. */
export interface HookInputFacts {
  readonly command: readonly string[];
  readonly stderr: string;
  readonly exit_code?: number;
}

const facts = new WeakMap<HookInput, HookInputFacts>();

/** A program's text as a hook input that remembers where it comes from. */
export function hookInputFrom(input: HookInput, known: HookInputFacts): HookInput {
  facts.set(input, known);
  return input;
}

/** Where a hook input comes from, as far as it is known. */
export function factsOf(input: HookInput): HookInputFacts | Record<string, never> {
  return facts.get(input) ?? {};
}
