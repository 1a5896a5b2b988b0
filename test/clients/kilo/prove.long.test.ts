import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { KILO } from "../support/kilo.ts";
import { proofSuite } from "../support/proofs.ts";

proofSuite(
  { ...KILO, agent: "kilo" },
  ["ask"],
  [
    [
      "our plug-in throwing while it is loaded",
      ({ cwd }) =>
        appendFileSync(join(cwd, ".kilo/plugins/tenterhook.js"), '\nthrow new Error("Not today.");\n'),
      "not_reached",
      "kilo can't load our plug-in",
    ],
  ],
);
