/* How decisions end that nobody has answered elsewhere: who has, for the record. */

/** Nobody, until its time was over. */
export const NOBODY = { by: "Nobody answered in time.", channel: "timeout" } as const;

/** The agent's user. */
export const AT_TERMINAL = { by: "It was answered at its terminal.", channel: "agent" } as const;

/** The agent has ended the hook that waited: its user has interrupted it, as far as anybody knows. */
export const NO_LONGER_ASKED = { by: "It was interrupted at its terminal.", channel: "agent" } as const;
