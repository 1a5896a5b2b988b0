/** The internal option of `tenterhook monitor start` for a daemon that a call has started: it ends when it is not needed. */
export const UNTIL_IDLE = "--until-idle";
