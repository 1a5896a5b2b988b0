/** The longest message a server may send. */
export const MOST_MESSAGE_BYTES = 4_000_000;

/** How many tools of a server are listed. */
export const MOST_TOOLS = 1_000;

/** The default timeout of the start and handshake. */
export const CONNECT_MILLISECONDS = 30_000;

/** The default timeout of a call. */
export const CALL_MILLISECONDS = 60_000;

/** How many calls of one server may be pending; more indicate a loop. */
export const MOST_CALLS_AT_ONCE = 64;

/** How long a server has to reply to a ping after a timeout. */
export const PING_MILLISECONDS = 3_000;
