import {
  check,
  denyCheck,
  judgePlugin,
  refuse,
  refusePlugin,
  reportLoaded,
  run,
  runRewritten,
} from "./gate.js";

/*
 * The module of our plug-in in Claude Code, in the seat before all plug-ins of others.
 */

/**
 * @import { Engine, Next, On, Request } from "./claude-mods.ts"
 */

/** @param {On} on */
export function register(on) {
  on("plugin.register", judgePlugin).catch(refusePlugin);
  on("session.start", reportLoaded);
  on("tool.call", runRewritten).catch(refuse);
  on("tool.check", check).catch(denyCheck);
  on("tool.run", run).catch(refuse);
  // Whatever ours asks, no mod of others answers.
  on("http.fetch", shieldSockets).catch(refuse);
  on("process.run", shield).catch(refuse);
  on("process.hookEnv", shield).catch(refuse);
  on("session.cwd", shield).catch(refuse);
  on("session.info", shield).catch(refuse);
  on("session.version", shield).catch(refuse);
  on("fs.read", shield).catch(refuse);
}

/**
 * @template Event
 * @param {Engine} $
 * @param {Event} e
 * @param {Next<Event, unknown>} next
 */
function shield($, e, next) {
  return next.origin.plugin === $.plugin.name ? next.to(e, "core") : next(e);
}

/**
 * Nobody else asks on a socket: the daemon reads configurations where its caller says, and runs their programs. Whether two
 * paths lead to the same socket can't be told for sure.
 *
 * @param {Engine} $
 * @param {Request} e
 * @param {Next<Request, unknown>} next
 */
function shieldSockets($, e, next) {
  const isOurs = next.origin.plugin === $.plugin.name;
  return isOurs || e.init?.socketPath === undefined ? shield($, e, next) : { deny: NO_SOCKETS };
}

const NO_SOCKETS =
  "Beside Tenterhook, a plug-in asks on no socket of this machine: programs there would act for it.";
