import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { onTestFinished } from "vitest";

/** Collects garbage, which takes a second in a worker that has run many files. */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}

/** Collects garbage once, as soon as this is so: Node 20 forgets the timeout of a combined signal then. */
export function collectGarbageWhen(isDue: () => boolean): void {
  const timer = setInterval(() => {
    if (!isDue()) return;
    clearInterval(timer);
    collectGarbage();
  }, 20);
  onTestFinished(() => clearInterval(timer));
}
