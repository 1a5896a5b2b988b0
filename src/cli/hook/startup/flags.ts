/** The internal argument of `tenterhook hook` that says that stdin holds asynchronous hooks to run. */
export const ASYNC_FLAG = "--async-hooks";

/** The internal option of `tenterhook hook` that names the call, because the daemon may have decided it already. */
export const CALL_FLAG = "--call";

/** The internal argument of `tenterhook hook` that makes it decide calls for the daemon. */
export const SERVE_FLAG = "--serve";

/** Follows it, before the version, in a process that decides only for the one that has started it. */
export const WARM_FLAG = "--warm";
