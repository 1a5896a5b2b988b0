/** The internal argument of `tenterhook hook` that says that stdin holds asynchronous hooks to run. */
export const ASYNC_FLAG = "--async-hooks";
