/** The longest message a server may send. */
export const MOST_MESSAGE_BYTES = 4_000_000;

/** How many lines a server may print between two messages that are none. */
export const MOST_STRAY_LINES = 10_000;

/** How many tools of a server are listed; more are left out. */
export const MOST_TOOLS = 1_000;

/** How long a server has to start and greet, unless the caller says. */
export const CONNECT_MILLISECONDS = 30_000;

/** How long a call may take, unless the caller says. */
export const CALL_MILLISECONDS = 60_000;

/** How many calls of one server may be under way; more are a loop, or soon one. */
export const MOST_CALLS_AT_ONCE = 64;

/** How long a server that let somebody wait in vain has to show that it still hears us. */
export const PING_MILLISECONDS = 3_000;
