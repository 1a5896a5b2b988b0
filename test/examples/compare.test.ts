import { it } from "vitest";
import { ROOT } from "../repository/support/files.ts";
import { expectTasksDone } from "./support/compared-program.ts";

// Those of other packages, which have to be installed first, are in test/clients/compare.test.ts.
it("the four tasks of examples/compare are done by tenterhook", () => expectTasksDone("tenterhook", ROOT));
