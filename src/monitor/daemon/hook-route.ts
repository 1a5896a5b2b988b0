import { isUtf8 } from "node:buffer";
import { isAbsolute } from "node:path";
import { Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { HOOK_PATH } from "../../node/hook-path.ts";

/** As much as `tenterhook hook` reads. */
const MOST_BYTES = 64_000_000;
/** Longer than any agent waits. */
const LONGEST_SECONDS = 24 * 60 * 60;

/** A call of an agent that asks by HTTP. */
export interface HttpHookCall {
  /** The agent's name. */
  readonly agent: string;
  /** Its payload as it sent it. */
  readonly text: string;
  /** How long the agent waits. */
  readonly seconds: number;
  /** What the monitor calls the agent, where it has a name there. */
  readonly agentId?: string;
  /** The agent's variable PWD: where a shell started it. A program that started it elsewhere leaves its own there. */
  readonly folder?: string;
  /** Aborted when the agent waits no longer. */
  readonly signal: AbortSignal;
}

/** Decides a call: the agent's JSON, or nothing when it has nothing to read. Rejects when the call can't be decided. */
export type AnswerHook = (call: HttpHookCall) => Promise<string>;

/**
 * Where agents ask by HTTP. Everything but a reply with status 200 makes an agent refuse what it asked about, because
 * its entry says so.
 */
export function hookRoute(
  answer: AnswerHook,
  onlyAllowed: MiddlewareHandler,
  onError: (error: unknown) => void,
): Hono {
  const app = new Hono();
  app.post(`${HOOK_PATH}:agent`, onlyAllowed, bodyLimit({ maxSize: MOST_BYTES }), async (context) => {
    const { req } = context;
    // An agent must not find an open connection closed: it would refuse the call.
    context.header("connection", "close");
    const bytes = Buffer.from(await req.arrayBuffer());
    if (!isUtf8(bytes)) return context.body(null, 400);
    const agentId = req.header("tenterhook-agent") ?? "";
    const folder = req.header("tenterhook-folder") ?? "";
    const seconds = Number(req.header("tenterhook-timeout"));
    try {
      const reply = await answer({
        agent: req.param("agent"),
        text: bytes.toString("utf8"),
        seconds: seconds > 0 ? Math.min(seconds, LONGEST_SECONDS) : LONGEST_SECONDS,
        ...(/^[\w.:-]{1,200}$/.test(agentId) ? { agentId } : {}),
        ...(isAbsolute(folder) ? { folder } : {}),
        signal: req.raw.signal,
      });
      return context.body(reply, 200, { "content-type": "application/json" });
    } catch (error) {
      if (!req.raw.signal.aborted) onError(error);
      return context.body(null, 500);
    }
  });
  return app;
}
