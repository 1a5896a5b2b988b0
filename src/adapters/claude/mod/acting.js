/**
 * @import { Registered } from "./claude-mods.ts"
 */

/**
 * The calls of a module by which it acts itself, as Claude Code names them. A variable can load code into whatever is started.
 *
 * @type {readonly string[]}
 */
export const ACTS = ["process.run", "process.spawn", "fs.write", "env.set"];

/** A request by itself stays, since it can't ask our daemon. It is shown. */
export const ASKS = "http.fetch";

/**
 * True for a plug-in that acts itself, or may have what others do be something else: what it changes on the way is behind us.
 *
 * @param {Registered} plugin
 */
export function actsItself({ uses: { calls, events } = {}, unread = [] }) {
  if (unread.length > 0 || calls === undefined || calls.some((call) => ACTS.includes(call))) return true;
  return (events ?? []).some((pattern) => [...ACTS, ASKS].some((call) => mayMatch(pattern, call)));
}

/**
 * @param {string} pattern
 * @param {string} event
 */
function mayMatch(pattern, event) {
  if (pattern.startsWith("!")) return true;
  const [start = ""] = pattern.split(/[^\w.]/);
  return start === pattern ? pattern === event : event.startsWith(start);
}
