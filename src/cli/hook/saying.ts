import { writeSync } from "node:fs";

/** What an agent takes for a refusal when it can't read what was written. */
export const REFUSED = 2;

/** How far the agent has been answered. One for the process: what stands guard over the verdict looks at it. */
export interface Saying {
  state: "open" | "saying" | "said";
  /** Of the verdict, once it is being said. */
  exit_code: number;
  /** Writes to a descriptor, also when others may not write to it. */
  readonly write: (descriptor: 1 | 2, bytes: Buffer) => number;
  /** The stream of descriptor 1, also while `process.stdout` is another one. */
  stdout: () => NodeJS.WritableStream;
}

/** Nothing has been said yet. */
export function nothingSaid(): Saying {
  // Not before it is needed: Node loads thirty modules to make a stream.
  return { state: "open", exit_code: 0, write: writeSync, stdout: () => process.stdout };
}
