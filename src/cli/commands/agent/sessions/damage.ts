import type { ReadTranscriptOptions } from "../../../../core/contracts/transcript.ts";
import { flagOption, type Invocation } from "../../../command-line/command.ts";

/** How a session is read, and what could not be. */
export interface SessionReading {
  readonly read: ReadTranscriptOptions & { readonly signal: AbortSignal };
  /** The places that were left out, once it is read. */
  readonly lost: readonly string[];
}

/** Reads a session whole, or with `--despite-damage` what can be read of it. */
export function sessionReading(invocation: Invocation): SessionReading {
  const { signal } = invocation;
  if (!flagOption(invocation, "despiteDamage")) return { read: { signal }, lost: [] };
  const lost = new Set<string>();
  return {
    // Places are written to stand in the middle of a sentence.
    read: { signal, onDamage: ({ place }) => void lost.add(place.replace(/,$/, "")) },
    get lost() {
      return [...lost];
    },
  };
}

/** What is told of a place that can't be read. */
export function lostText(place: string): string {
  return `${place} can't be read and is left out.`;
}
