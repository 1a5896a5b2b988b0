import { beforeEach, TestRunner } from "vitest";
import { type NeededProgram, whyMissing } from "../../scripts/needed-programs.mjs";
import { originOf } from "../../src/monitor/person/origin.ts";
import { standingOf } from "../../src/monitor/person/standing.ts";

/** Ends the loading of a test file that this machine can't run; `test/support/setup/runner.ts` then counts it as left out. */
class NotHere extends Error {
  override readonly name = "NotHere";
}

/**
 * Says that a test needs these programs of `scripts/needed-programs.mjs`. Where one is missing, it leaves out the test that calls this, or
 * the tests of the `describe` that calls it, or of the whole file, which must call it before its tests.
 */
export function needs(...programs: readonly NeededProgram[]): void {
  const reason = programs.map(whyMissing).find((why) => why !== undefined);
  if (reason === undefined) return;
  TestRunner.getCurrentTest()?.context.skip(reason);
  if (TestRunner.getCurrentSuite().name === "") throw new NotHere(reason);
  beforeEach(({ skip }) => skip(reason));
}

/** Leaves out the test that calls this where the real program would not take who runs it for a person. */
export async function needsPerson(): Promise<void> {
  const standing = standingOf(await originOf(process.pid, { agents: [] }));
  if (standing.is !== "person")
    TestRunner.getCurrentTest()?.context.skip(`A person must run it. ${standing.why}`);
}
