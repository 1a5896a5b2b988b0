/** Who answers a decision when its time is over. */
export const NOBODY = { by: "Nobody answered in time.", channel: "timeout" } as const;
