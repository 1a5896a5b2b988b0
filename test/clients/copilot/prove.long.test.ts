import { join } from "node:path";
import { COPILOT, trustInCopilot } from "../support/copilot.ts";
import { proofSuite } from "../support/proofs.ts";
import { writeJson } from "../support/run-program.ts";

proofSuite(
  { ...COPILOT, agent: "copilot" },
  ["garbage", "hanging"],
  [
    [
      "a folder that is not trusted",
      ({ environment }) =>
        writeJson(join(environment.HOME ?? "", ".copilot/config.json"), { trustedFolders: ["/elsewhere"] }),
      "not_reached",
      "trust",
    ],
  ],
  { prepare: trustInCopilot },
);
