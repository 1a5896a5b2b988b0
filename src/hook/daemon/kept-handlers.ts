import { Inputs } from "../../config/inputs/inputs.ts";
import { filesOfDefinition } from "../../config/trust/named-files.ts";
import type { Handler } from "../../core/ports.ts";
import { isPersistent } from "../../core/registration/handler-types.ts";
import type { HandlerContext } from "../../handlers/handler.ts";
import type { MakeHandler } from "../../handlers/ready-hook.ts";
import { stampOf } from "../../node/files/file-stamp.ts";
import { findProgram } from "../../node/process/find-program.ts";
import type { HookCall } from "../call.ts";
import { makeOther } from "../event-hooks.ts";

/** Each holds the processes of a hook. */
const MOST_KEPT = 8;
/** How long a handler waits for its next call. */
const IDLE_MILLISECONDS = 5 * 60_000;
/** How long it stays at most: not every file that a program or a module uses is known. */
const MOST_MILLISECONDS = 10 * 60_000;

interface Kept {
  /** Parallel calls wait for the same one. */
  readonly handler: Promise<Handler>;
  readonly made: number;
  readonly files: readonly string[];
  readonly stamp: string;
  readonly timer: NodeJS.Timeout;
}

/**
 * Handlers whose process stays between calls: of persistent commands and of modules. One is made for calls with the same
 * variables from the same folder, and made anew when a file that it runs has changed, or after a failure to make it.
 */
export function keptHandlers() {
  const kept = new Map<string, Kept>();
  const numbers = new WeakMap<NodeJS.ProcessEnv, number>();
  let environments = 0;
  const numberOf = (environment: NodeJS.ProcessEnv): number => {
    const number = numbers.get(environment) ?? ++environments;
    numbers.set(environment, number);
    return number;
  };
  const drop = async (key: string): Promise<void> => {
    const one = kept.get(key);
    if (one === undefined) return;
    kept.delete(key);
    clearTimeout(one.timer);
    // It answers what it was asked before.
    await one.handler.then(({ close }) => close?.()).catch(() => undefined);
  };
  const isFresh = ({ made, files, stamp }: Kept): boolean =>
    performance.now() - made < MOST_MILLISECONDS && stampOf(files) === stamp;
  const keep = (key: string, files: readonly string[], make: () => Promise<Handler>): Promise<Handler> => {
    // Stamped before the program starts, or the module is loaded.
    const stamp = stampOf(files);
    const handler = make();
    const timer = setTimeout(() => void drop(key), IDLE_MILLISECONDS).unref();
    kept.set(key, { handler, made: performance.now(), files, stamp, timer });
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) void drop(oldest);
    const dropIt = (): void => {
      if (kept.get(key)?.handler === handler) void drop(key);
    };
    handler.then(({ problem }) => {
      if (problem !== undefined) dropIt();
    }, dropIt);
    return handler;
  };
  const makeFor = ({ cwd, environment }: HookCall): MakeHandler => {
    return async (type, settings, context) => {
      const definition = { type, ...settings };
      if (!staysLoaded(definition)) return makeOther(type, settings, context);
      const key = JSON.stringify([numberOf(environment), cwd, definition, context.site]);
      const known = kept.get(key);
      if (known !== undefined && isFresh(known)) {
        known.timer.refresh();
        // The last used come last, and the first is dropped.
        kept.delete(key);
        kept.set(key, known);
        return withoutClose(await known.handler);
      }
      void drop(key);
      const files = filesOfHandler(definition, context);
      return withoutClose(await keep(key, files, () => makeOther(type, settings, context)));
    };
  };
  return {
    makeFor,
    close: async (): Promise<void> => {
      await Promise.all([...kept.keys()].map(drop));
    },
  };
}

/** True for a definition whose process can stay between calls. */
function staysLoaded(definition: Readonly<Record<string, unknown>>): boolean {
  const { type } = definition;
  return type === "module" || (type === "command" && isPersistent(definition));
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
