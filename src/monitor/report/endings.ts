/* How decisions end that nobody has answered elsewhere: who has, for the record. */

/** Nobody, until its time was over. */
export const NOBODY = { by: "Nobody answered in time.", channel: "timeout" } as const;

export const AT_TERMINAL = { by: "Answered in the terminal.", channel: "agent" } as const;

/** The agent has ended the hook that waited: its user has interrupted it, as far as anybody knows. */
export const NO_LONGER_ASKED = { by: "Interrupted in the terminal.", channel: "agent" } as const;

/** Another call of the agent has taken the place of the one that was asked about. */
export const CALL_CHANGED = { by: "The call changed.", channel: "agent" } as const;
