import { isRecord, parseJson } from "../../core/base/json.ts";
import { FAILURE_KINDS } from "../../core/events/effects.ts";
import { HookFailureError } from "../../core/events/hook-failure-error.ts";
import type { Handler, RunFacts } from "../../core/ports.ts";
import { checkTrust, type HandlerContext, type HandlerSettings, type ModuleRunner } from "../handler.ts";
import { WorkerPool } from "../persistent/worker-pool.ts";
import { moduleFile } from "./module.ts";
import type { ModuleReply } from "./run-module.ts";

/** How many events a module decides at once, each in a process. */
const MOST_PROCESSES = 4;

/**
 * A hook whose function is in a file, run in a process of its own: whatever the code does, it can change neither the
 * decision of another hook nor the process that decides. The process is asked like that of a persistent hook.
 *
 * @throws TenterhookError `invalid_option` for a file that is neither JavaScript nor TypeScript.
 */
export function moduleProcessHandler(
  settings: HandlerSettings<"module">,
  { site, ports }: HandlerContext,
  runner: ModuleRunner,
): Handler {
  const file = moduleFile(settings, site);
  const start = () => {
    checkTrust(site);
    return { ...runner(file), environment: ports.environment };
  };
  const workers = new WorkerPool(start, MOST_PROCESSES);
  let requests = 0;
  return {
    type: "module",
    tidies: true,
    run: (event, { signal, output, recheck, payload, record }) => {
      requests += 1;
      const id = `${event.event_id}.${requests}`;
      const request = { request_id: id, event, recheck, payload };
      return workers.lend(async (worker) => {
        const line = await worker.ask(`${JSON.stringify(request)}\n`, signal, (text) =>
          output(text, "stderr"),
        );
        // The process may have loaded another file than the one that is trusted, if it changed meanwhile.
        checkTrust(site);
        return readReply(line, id, record);
      }, signal);
    },
    health: () => workers.health(),
    close: () => workers.close(),
  };
}

/** @throws HookFailureError for a failure of the module, and `bad_output` for anything that is no reply to this request. */
function readReply(line: Uint8Array, id: string, record: (facts: RunFacts) => void): unknown {
  const reply = parseJson(Buffer.from(line).toString("utf8"));
  if (!isReply(reply) || reply.request_id !== id)
    throw new HookFailureError("bad_output", "The module's process wrote something that is no answer.");
  if (reply.facts !== undefined) record(reply.facts);
  if (reply.failure === undefined) return reply.value;
  const { kind, message } = reply.failure;
  throw new HookFailureError(kind, message);
}

function isReply(value: unknown): value is ModuleReply {
  if (!isRecord(value)) return false;
  const { failure, facts } = value;
  if (facts !== undefined && !isRecord(facts)) return false;
  if (failure === undefined) return true;
  return (
    isRecord(failure) &&
    typeof failure.message === "string" &&
    FAILURE_KINDS.some((kind) => kind === failure.kind)
  );
}
