import { setTimeout as pause } from "node:timers/promises";
import { type ActivityStore, sqliteActivity } from "../../journal/activity/sqlite-activity.ts";
import type { KeptFor } from "../../shared/monitor/history.ts";
import { failuresOnce, type Looks, startLooks } from "../looks.ts";

const LOOK_MILLISECONDS = 1000;
const FORGET_MILLISECONDS = 60_000;
/** When much is to be taken in, others have their turn. */
const [WORK_MILLISECONDS, REST_MILLISECONDS] = [50, 10];

interface Options {
  readonly environment: NodeJS.ProcessEnv;
  readonly kept: () => Promise<KeptFor>;
  readonly onError: (error: unknown) => void;
  /** Done after each look at the journals. */
  readonly share: (store: ActivityStore) => Promise<void>;
}

/** Takes journals into the history of decisions, and forgets what is too old. Its failures stop nothing else. */
export function keepHistory({ environment, kept, onError, share }: Options): Looks {
  let store: ActivityStore | undefined;
  const failures = failuresOnce(onError);
  let forgotten = Number.NEGATIVE_INFINITY;
  let closed = false;
  const look = async (): Promise<void> => {
    store ??= await sqliteActivity(environment);
    while (!(closed || (await store.refresh(WORK_MILLISECONDS)))) await pause(REST_MILLISECONDS);
    if (!closed) await share(store);
    if (performance.now() - forgotten > FORGET_MILLISECONDS) {
      await store.forget(await kept());
      forgotten = performance.now();
    }
    failures.succeed();
  };
  const fail = (error: unknown): void => {
    store?.close();
    store = undefined;
    failures.fail(error);
  };
  const looks = startLooks(look, fail, LOOK_MILLISECONDS);
  return {
    async close() {
      closed = true;
      await looks.close();
      store?.close();
    },
  };
}
