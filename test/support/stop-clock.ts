import { onTestFinished, vi } from "vitest";

/** Stops the clocks of this process until the test has ended: on a busy machine, too, nothing it shows has another age or day. */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
}
