import {
  check,
  denyCheck,
  refuse,
  reportLoaded,
  run,
  runRewritten,
} from "../../src/adapters/claude/mod/gate.js";

/*
 * The module of the plug-in from a marketplace. It has no seat before the plug-ins of others, where Claude Code loads no
 * module that passes them by: one that answers its questions can lift it. `tenterhook install claude --user` takes that seat.
 */

/**
 * @param {import("../../src/adapters/claude/mod/claude-mods.ts").On} on
 */
export function register(on) {
  on("session.start", reportLoaded);
  on("tool.call", runRewritten).catch(refuse);
  on("tool.check", check).catch(denyCheck);
  on("tool.run", run).catch(refuse);
}
