import { idSequence, systemClock } from "./core/base/clock.ts";
import { fromCaller } from "./core/base/errors.ts";
import { createHooks as createPlainHooks } from "./core/create-hooks.ts";
import type { CustomEvents, CustomEventsOf } from "./core/events/custom-events.ts";
import type { DefinedHooks, HooksOptions } from "./core/hooks.ts";
import type { Ports } from "./core/ports.ts";
import type { Plugin } from "./core/registration/plugin.ts";
import { callablePlugin, type PluginFunction } from "./handlers/callable-plugin.ts";
import { ruleConditions } from "./handlers/conditions.ts";
import { defineHooks } from "./handlers/defined-hooks.ts";
import { judgePorts } from "./judges.ts";
import { fileSpill, nodePaths, nodeRulePorts } from "./node/ports.ts";
import { linearRegex } from "./node/regex.ts";

export type { DefinedHooks as Hooks } from "./core/hooks.ts";
export type { HookDefinition } from "./core/registration/hook-definition.ts";
export * from "./exports.ts";
export type { PluginFunction } from "./handlers/callable-plugin.ts";

/**
 * Makes a plug-in: hooks, rules and tools that others use by `hooks.use(plugin)` or `new Agent({ plugins: [plugin] })`. What it
 * returns is a hook function too, so that a `hooks.yaml` can name its file as a `module`.
 *
 * @throws TenterhookError for unknown keys and values of the wrong type.
 * @example
 * export default definePlugin({
 *   name: "acme",
 *   hooks: [hook("PreToolUse", { name: "no-sudo", tools: "Bash" }, () => deny("Without sudo, please."))],
 *   rules: 'command runs "npm publish" -> deny("CI publishes.")',
 * });
 */
export function definePlugin(plugin: Plugin): Plugin & PluginFunction {
  return fromCaller(definePlugin, () => callablePlugin(plugin, createHooks));
}

/** One id sequence for all hook sets of the process. */
const newId = idSequence(systemClock.now());

/**
 * Makes a hook set with everything this machine offers: real paths, linear-time regular expressions, inline rules and
 * packs, files for long context.
 *
 * @throws TenterhookError for options or limits nobody reads.
 */
export function createHooks<Events extends CustomEventsOf<Events> = CustomEvents>(
  options: HooksOptions = {},
): DefinedHooks<Events> {
  const ports: Ports = {
    clock: systemClock,
    newId,
    paths: nodePaths,
    regex: linearRegex,
    spill: fileSpill(),
    conditions: ruleConditions(nodeRulePorts),
    lock: async (...wanted) => (await import("./node/files/lock.ts")).userLocks(...wanted),
    cwd: () => process.cwd(),
  };
  const hooks = fromCaller(createHooks, () => createPlainHooks<Events>(options, ports));
  return defineHooks(hooks, {
    rules: nodeRulePorts,
    payloadOf: async (agent, event) => (await import("./adapters/agents.ts")).payloadOf(agent, event),
    environment: process.env,
    ...judgePorts(process.env),
  });
}
