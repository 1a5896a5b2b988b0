/** The internal argument of `tenterhook hook` that says that stdin holds work for the background. */
export const ASYNC_FLAG = "--async-hooks";

/** The internal option of `tenterhook hook` that names the call, because the daemon may have decided it already. */
export const CALL_FLAG = "--call";

/** The internal option of `tenterhook hook` that names a module to run for the events on stdin. */
export const MODULE_FLAG = "--module";

/** The variable in which the client names the open file that limits how many processes start at a time. */
export const SLOT_VARIABLE = "TENTERHOOK_SLOT";

/** The exit code that an agent takes for a refusal when it can't read what was written. */
export const REFUSED = 2;
