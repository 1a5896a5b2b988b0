import { Inputs } from "../../../../config/find/inputs.ts";
import { filesOfDefinition } from "../../../../config/trust/named-files.ts";
import type { Handler } from "../../../../core/ports.ts";
import type { HandlerContext } from "../../../../handlers/handler.ts";
import type { MakeHandler } from "../../../../handlers/ready-hook.ts";
import { stampOf } from "../../../../node/files/module-files.ts";
import { findProgram } from "../../../../node/process/find-program.ts";

/** Keeps handlers between the events that one process decides. */
export interface KeepHandlers {
  /** Aborted when the agent has ended the event. */
  readonly signal: AbortSignal;
  /** Makes handlers that are not closed with the event. */
  keeping(make: MakeHandler): MakeHandler;
}

interface Kept {
  readonly handler: Handler;
  readonly files: readonly string[];
  readonly stamp: string;
}

export function keptHandlers(signal: AbortSignal) {
  const all = new Map<string, Kept>();
  const keeping =
    (make: MakeHandler): MakeHandler =>
    async (type, settings, context) => {
      if (!isPersistent({ type, ...settings })) return make(type, settings, context);
      const key = JSON.stringify([settings, context.site]);
      const kept = all.get(key) ?? {
        ...stamped({ ...settings }, context),
        handler: await make(type, settings, context),
      };
      all.set(key, kept);
      const { close: _, ...handler } = kept.handler;
      return handler;
    };
  return {
    signal,
    keeping,
    /** True when a file that a hook runs is another one now. */
    hasChanged: () => [...all.values()].some(({ files, stamp }) => stampOf(files) !== stamp),
    close: () => Promise.all([...all.values()].map(({ handler }) => handler.close?.())),
  };
}

/** True for a definition whose program stays between events. */
export function isPersistent(definition: { readonly type?: unknown; readonly mode?: unknown }): boolean {
  return definition.type === "command" && definition.mode === "persistent";
}

/** Taken before the program starts. */
function stamped(settings: Readonly<Record<string, unknown>>, { site, ports }: HandlerContext) {
  const { root, project = root } = site;
  const named = filesOfDefinition(settings, { root, project, inputs: new Inputs() }) ?? [];
  const [program] = [settings.command].flat();
  const words = typeof program === "string" ? program.trim().split(/\s+/, 1) : [];
  const found = words.flatMap((word) => findProgram(word, root, ports.environment) ?? []);
  const files = [...named, ...found];
  return { files, stamp: stampOf(files) };
}
