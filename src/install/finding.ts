/** One thing that is as it should be, or is not: what, and the command that mends it. */
export interface Finding {
  /** A note is what is always so and nobody can change, or need change: only `-v` shows it. */
  readonly level: "ok" | "note" | "warning" | "error";
  /** An agent, a file, or a part of Tenterhook. */
  readonly about: string;
  /** A sentence; or what `about` is, without a full stop. */
  readonly message: string;
  /** Where, or because of what. */
  readonly why?: string | undefined;
  /** A command. */
  readonly fix?: string | undefined;
}

export function findingText({ message, why, fix }: Pick<Finding, "message" | "why" | "fix">): string {
  const isSentence = message.endsWith(".");
  const place =
    why === undefined ? message : `${message.replace(/\.$/, "")} (${why})${isSentence ? "." : ""}`;
  if (fix === undefined) return place;
  return isSentence ? `${place} Fix: ${fix}` : `${place}: ${fix}`;
}
