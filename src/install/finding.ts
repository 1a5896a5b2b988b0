/** One thing that is as it should be, or is not: a sentence, and the command that mends it. */
export interface Finding {
  /** A note is what is always so and nobody can change, or need change: only `-v` shows it. */
  readonly level: "ok" | "note" | "warning" | "error";
  /** An agent, or a part of Tenterhook. */
  readonly about: string;
  readonly message: string;
  /** Where, or because of what. */
  readonly why?: string;
  /** A command. */
  readonly fix?: string;
}

export function findingText({ message, why, fix }: Pick<Finding, "message" | "why" | "fix">): string {
  const place = why === undefined ? message : `${message.replace(/\.$/, "")} (${why}).`;
  return fix === undefined ? place : `${place} Fix: ${fix}`;
}
