/** The calls of a module by which it acts itself, as Claude Code names them. */
export const ACTS: readonly string[] = ["process.run", "process.spawn", "fs.write"];
