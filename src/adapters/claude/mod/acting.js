/**
 * The calls of a module by which it acts itself, as Claude Code names them.
 *
 * @type {readonly string[]}
 */
export const ACTS = ["process.run", "process.spawn", "fs.write"];
