/** The internal argument of `tenterhook hook` that says that stdin holds asynchronous hooks to run. */
export const ASYNC_FLAG = "--async-hooks";

/** The internal argument of `tenterhook hook` that says that another process supervises this one and reads its reply. */
export const SUPERVISED_FLAG = "--supervised";
