import { Inputs } from "../../../../config/find/inputs.ts";
import { filesOfDefinition } from "../../../../config/trust/named-files.ts";
import type { Handler } from "../../../../core/ports.ts";
import type { HandlerContext } from "../../../../handlers/handler.ts";
import type { MakeHandler } from "../../../../handlers/ready-hook.ts";
import { stampOf } from "../../../../node/files/file-stamp.ts";
import { findProgram } from "../../../../node/process/find-program.ts";

/** A process that decides many events, one after another, and keeps handlers. */
export interface WarmProcess {
  /** Aborted when the agent has ended the event. */
  readonly signal: AbortSignal;
  /** Makes handlers that are not closed with the event. */
  keeping(make: MakeHandler): MakeHandler;
}

interface LoadedHandler {
  readonly handler: Handler;
  readonly files: readonly string[];
  readonly stamp: string;
}

/** Handlers that stay, until a file that one of them runs has changed. */
export function loadedHandlers() {
  const all = new Map<string, LoadedHandler>();
  const keeping =
    (make: MakeHandler): MakeHandler =>
    async (type, settings, context) => {
      const definition = { type, ...settings };
      const key = JSON.stringify([definition, context.site]);
      const known = all.get(key);
      if (known !== undefined) return withoutClose(known.handler);
      // Stamped before the program starts, or the module is loaded.
      const files = staysLoaded(definition) ? filesOfHandler(definition, context) : undefined;
      if (files === undefined) return make(type, settings, context);
      const stamp = stampOf(files);
      const handler = await make(type, settings, context);
      all.set(key, { handler, files, stamp });
      return withoutClose(handler);
    };
  return {
    keeping,
    /** True when a file that a hook runs is another one now, or could not be used: what is missing may come. */
    hasChanged: () =>
      [...all.values()].some(
        ({ handler, files, stamp }) => handler.problem !== undefined || stampOf(files) !== stamp,
      ),
    close: () => Promise.all([...all.values()].map(({ handler }) => handler.close?.())),
  };
}

/** True for a definition whose program or module stays between events. */
export function staysLoaded(definition: { readonly type?: unknown; readonly mode?: unknown }): boolean {
  const { type, mode } = definition;
  return type === "module" || (type === "command" && mode === "persistent");
}

/** A handler that is not closed with the event. */
function withoutClose({ close: _, ...handler }: Handler): Handler {
  return handler;
}

/** The files that a handler runs, as far as they are known. */
function filesOfHandler(
  definition: Readonly<Record<string, unknown>>,
  { site, ports }: HandlerContext,
): readonly string[] {
  const { root } = site;
  const named = filesOfDefinition(definition, { root, inputs: new Inputs() });
  const [program] = [definition.command].flat();
  const words = typeof program === "string" ? program.trim().split(/\s+/, 1) : [];
  const found = words.flatMap((word) => findProgram(word, root, ports.environment) ?? []);
  return [...named, ...found];
}
