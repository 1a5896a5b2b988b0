import type { NativeReply } from "../../../../adapters/adapter.ts";
import { Inputs } from "../../../../config/find/inputs.ts";
import { filesOfDefinition } from "../../../../config/trust/named-files.ts";
import type { Handler } from "../../../../core/ports.ts";
import type { HandlerContext } from "../../../../handlers/handler.ts";
import type { MakeHandler } from "../../../../handlers/ready-hook.ts";
import { stampOf } from "../../../../node/files/module-files.ts";
import { findProgram } from "../../../../node/process/find-program.ts";

/** A process that decides many events, one after another, and keeps handlers. */
export interface WarmProcess {
  /** Aborted when the agent has ended the event. */
  readonly signal: AbortSignal;
  /** Called before hooks run: their code may end the process, and the event is then refused. */
  guard(refuse: (reason: string) => NativeReply): void;
  /** Makes handlers that are not closed with the event. */
  keeping(make: MakeHandler): MakeHandler;
}

interface Kept {
  readonly handler: Handler;
  readonly files: readonly string[];
  readonly stamp: string;
}

export function keptHandlers() {
  const all = new Map<string, Kept>();
  const keeping =
    (make: MakeHandler): MakeHandler =>
    async (type, settings, context) => {
      if (!staysLoaded({ type, ...settings })) return make(type, settings, context);
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

/** Taken before the program starts, or the module is loaded. */
function stamped(settings: Readonly<Record<string, unknown>>, { site, ports }: HandlerContext) {
  const { root, project = root } = site;
  const named = filesOfDefinition(settings, { root, project, inputs: new Inputs() }) ?? [];
  const [program] = [settings.command].flat();
  const words = typeof program === "string" ? program.trim().split(/\s+/, 1) : [];
  const found = words.flatMap((word) => findProgram(word, root, ports.environment) ?? []);
  const files = [...named, ...found];
  return { files, stamp: stampOf(files) };
}
