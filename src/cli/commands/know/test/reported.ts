import type { TestRun } from "../../../../know/cases/test-run.ts";
import type { Screen } from "../../../command-line/screen/screen.ts";

/** What a report is made of. */
export interface Reported {
  readonly run: TestRun;
  readonly screen: Screen;
  readonly cwd: string;
  /** True when people want to see which rules no case reaches. */
  readonly coverage: boolean;
  readonly milliseconds: number;
}
