import { join } from "node:path";
import { proofSuite } from "../support/proofs.ts";
import { QWEN, qwenProgram } from "../support/qwen.ts";
import { writeJson } from "../support/run-program.ts";

proofSuite(
  { ...QWEN, agent: "qwen" },
  ["rewrite", "garbage", "hanging"],
  [
    [
      "disableAllHooks",
      ({ environment }) =>
        writeJson(join(environment.HOME ?? "", ".qwen/settings.json"), { disableAllHooks: true }),
      "not_reached",
      "disableAllHooks is true there",
    ],
  ],
  { program: qwenProgram },
);
