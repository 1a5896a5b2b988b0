import type { Handler } from "../core/ports.ts";
import { type HandlerTypeName, isPersistent } from "../core/registration/handler-types.ts";
import type { HandlerContext, HandlerSettings } from "./handler.ts";

export type Make<Name extends HandlerTypeName> = (
  settings: HandlerSettings<Name>,
  context: HandlerContext,
) => Promise<Handler>;

/**
 * How handlers are made that ask a program, a server or a module. They need neither rules nor models, so `tenterhook
 * hook` has them in files of its own. What a type does not need is not loaded.
 */
export const EXTERNAL_MAKERS: { readonly [Name in "command" | "http" | "module"]: Make<Name> } = {
  command: async (settings, context) => {
    if (!isPersistent(settings))
      return (await import("./command/command.ts")).commandHandler(settings, context);
    return (await import("./persistent/persistent.ts")).persistentHandler(settings, context);
  },
  http: async (settings, context) => (await import("./http/http.ts")).httpHandler(settings, context),
  module: async (settings, context) => {
    const { runner } = context.ports;
    if (runner === undefined) return (await import("./module/module.ts")).moduleHandler(settings, context);
    const { moduleProcessHandler } = await import("./module/module-process.ts");
    return moduleProcessHandler(settings, context, runner);
  },
};
