import type { Outcome } from "../../core/events/outcomes.ts";
import type { Handler } from "../../core/ports.ts";
import { commandSite } from "../command/command-site.ts";
import { keepingRefusals } from "../command/keeping-refusals.ts";
import type { HandlerContext, HandlerSettings } from "../handler.ts";
import { readAnswer, requestLine } from "./protocol.ts";
import { WorkerPool } from "./worker-pool.ts";

/**
 * A hook that decides by asking a process that stays: no start for each event. The process is started at the first
 * event, never keeps our process alive, and is replaced when it ends or can't be trusted any more.
 *
 * @throws TenterhookError `invalid_option` for a definition that does not say what to run.
 */
export function persistentHandler(settings: HandlerSettings<"command">, context: HandlerContext): Handler {
  const { pool = 1 } = settings;
  const site = commandSite(settings, context);
  const problem = site.problem();
  const workers = new WorkerPool(site.callForAll, pool);
  let requests = 0;
  return {
    type: "command",
    tidies: true,
    ...(problem === undefined ? {} : { problem }),
    run: (event, { signal, output }) => {
      requests += 1;
      const id = `${event.event_id}.${requests}`;
      return workers.lend(async (worker) => {
        const read = await worker
          .ask(requestLine(event, id), signal, (text) => output(text, "stderr"))
          .then((line) => () => readAnswer(line, id, event), rethrow);
        return keepingRefusals(worker.said, event, read);
      }, signal);
    },
    health: () => workers.health(),
    close: () => workers.close(),
  };
}

function rethrow(error: unknown): () => readonly Outcome[] {
  return () => {
    throw error;
  };
}
