import { beforeEach } from "vitest";

// Why this machine can't run some tests; `undefined` where it can. The end of the run counts them by these sentences.
export const notLinux = process.platform === "linux" ? undefined : "This machine does not run Linux.";
export const notRoot = process.getuid?.() === 0 ? undefined : "The tests do not run as root.";

/** Leaves out the tests of the `describe` that calls this, if there is a reason. */
export function leaveOut(reason: string | undefined): void {
  beforeEach(({ skip }) => skip(reason !== undefined, reason));
}
