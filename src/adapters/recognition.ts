import type { NativePayload } from "./adapter.ts";

/**
 * Whether an agent sent a payload. The payload is proof, the environment only a hint: some agents set the variables of
 * others, and an agent that another one started inherits them.
 */
export type Recognised = "by payload" | "by environment" | "no";

/** How the sender of a payload is recognised: all that `tenterhook hook` loads of an agent that does not call. */
export interface Recognition {
  /** The value of `host` in events, and the agent's name on the command line. */
  readonly name: string;
  /** Never throws, whatever the payload contains. */
  recognises(payload: NativePayload, environment: Readonly<Record<string, string | undefined>>): Recognised;
}

/** The first agent whose payload it is; else the first whose environment it is. */
export function senderOf<Row extends Recognition>(
  rows: readonly Row[],
  payload: NativePayload,
  environment: Readonly<Record<string, string | undefined>>,
): Row | undefined {
  let likely: Row | undefined;
  for (const row of rows) {
    const recognised = row.recognises(payload, environment);
    if (recognised === "by payload") return row;
    if (recognised === "by environment") likely ??= row;
  }
  return likely;
}
