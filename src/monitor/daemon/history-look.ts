import { setImmediate as immediate } from "node:timers/promises";
import { type ActivityStore, sqliteActivity } from "../../journal/activity/sqlite-activity.ts";
import type { KeptFor } from "../../shared/monitor/history.ts";
import type { MonitorContext } from "../context.ts";
import { every, failuresOnce } from "../tick.ts";

const FORGET_MILLISECONDS = 60_000;
/** When much is to be taken in, others have their turn. */
const WORK_MILLISECONDS = 50;

/**
 * Takes journals into the history of decisions, and forgets what is too old. Its failures stop nothing else.
 *
 * @param share done after each look at the journals.
 */
export function historyLook(
  { environment, onError }: Pick<MonitorContext, "environment" | "onError">,
  kept: () => Promise<KeptFor>,
  share: (store: ActivityStore) => Promise<void>,
) {
  let store: ActivityStore | undefined;
  const failures = failuresOnce(onError);
  let closed = false;
  const forget = every(FORGET_MILLISECONDS, async () => store?.forget(await kept()));
  const take = async (): Promise<void> => {
    store ??= await sqliteActivity(environment);
    while (!(closed || (await store.refresh(WORK_MILLISECONDS)))) await immediate();
    if (closed) return;
    await share(store);
    await forget();
  };
  const fail = (error: unknown): void => {
    store?.close();
    store = undefined;
    failures.fail(error);
  };
  return {
    look: () => take().then(failures.succeed, fail),
    /** Has the present look end soon. */
    stop(): void {
      closed = true;
    },
    close: () => store?.close(),
  };
}
