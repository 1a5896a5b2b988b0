import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { OPENCODE } from "../support/opencode.ts";
import { proofSuite } from "../support/proofs.ts";

proofSuite(
  { ...OPENCODE, agent: "opencode" },
  ["ask"],
  [
    [
      "our plug-in throwing while it is loaded",
      ({ cwd }) => {
        const file = join(cwd, ".opencode/plugins/tenterhook.js");
        writeFileSync(file, `${readFileSync(file, "utf8")}\nthrow new Error("Not today.");\n`);
      },
      "not_reached",
      "opencode",
    ],
  ],
);
