import { TenterhookError } from "../../core/base/errors.ts";
import { isRecord, parseJson } from "../../core/base/json.ts";
import { HookFailureError } from "../../core/events/hook-failure-error.ts";
import type { Outcome } from "../../core/events/outcomes.ts";
import type { AnyEvent } from "../../core/events/payloads.ts";
import type { Handler } from "../../core/ports.ts";
import { repeatedKey } from "../../shared/json-keys.ts";
import { commandSite } from "../command/command-site.ts";
import type { HandlerContext, HandlerSettings } from "../handler.ts";
import { decodeReply, readReplyValue } from "../reply/read-reply.ts";
import { WorkerPool } from "./worker-pool.ts";

/**
 * A hook that decides by asking a process that stays: no start for each event. The process is started at the first
 * event, never keeps our process alive, and is replaced when it ends or can't be trusted any more.
 *
 * @throws TenterhookError `invalid_option` for a definition that does not say what to run, or wants the agent's payload.
 */
export function persistentHandler(settings: HandlerSettings<"command">, context: HandlerContext): Handler {
  const { pool = 1, payload } = settings;
  if (payload === "native")
    throw new TenterhookError(
      "invalid_option",
      "payload: native needs a process for each event; a persistent one reads our event, which has the request_id.",
      { hint: "Remove mode: persistent, or payload: native." },
    );
  const site = commandSite(settings, context);
  const workers = new WorkerPool(site.callForAll, pool);
  let requests = 0;
  return {
    type: "command",
    tidies: true,
    get problem() {
      return site.problem();
    },
    run: (event, { signal, output }) => {
      requests += 1;
      const id = `${event.event_id}.${requests}`;
      const request = `${JSON.stringify({ ...event, request_id: id })}\n`;
      return workers.lend(async (worker) => {
        return readAnswer(await worker.ask(request, signal, (text) => output(text, "stderr")), id, event);
      }, signal);
    },
    health: () => workers.health(),
    close: () => workers.close(),
  };
}

/**
 * Reads the line that answers: a JSON object of any dialect of replies, with the id of the request in it.
 *
 * @throws HookFailureError `bad_output` for anything else, an answer to another request above all.
 */
function readAnswer(line: Uint8Array, id: string, event: AnyEvent): readonly Outcome[] {
  const text = decodeReply(line);
  const value = parseJson(text);
  if (!isRecord(value)) throw new HookFailureError("bad_output", "The answer is not a JSON object.");
  const twice = repeatedKey(text);
  if (twice !== undefined)
    throw new HookFailureError("bad_output", `The answer gives ${JSON.stringify(twice.key)} twice.`);
  const { request_id, ...reply } = value;
  if (request_id === undefined) {
    throw new HookFailureError("bad_output", "The answer lacks the request_id that the request had.");
  }
  if (request_id !== id) {
    throw new HookFailureError("bad_output", "The answer has the request_id of another request.");
  }
  return readReplyValue(reply, event);
}
