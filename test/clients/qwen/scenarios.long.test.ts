import { expect } from "vitest";
import { QWEN } from "../support/qwen.ts";
import { clientSuite, type Declared } from "../support/scenarios.ts";
import { switchSuite } from "../support/switches.ts";

/** It documents rewrites before a call, and ignores them. */
const REFUSED: Declared = {
  instead: "ignores rewrites: install refuses them, and with degrade.rewrite: deny the call is refused",
  user: { degrade: { rewrite: "deny" } },
  check: ({ made, other, lastSent }) =>
    expect([made, other, lastSent.includes("does not support rewrite on PreToolUse")]).toEqual([
      false,
      false,
      true,
    ]),
};

clientSuite(QWEN, {
  rewrite: REFUSED,
  two_rewrites: REFUSED,
});

switchSuite(QWEN, [
  { file: ".qwen/settings.json", json: { disableAllHooks: true } },
  { file: "~/.qwen/settings.json", json: { disableAllHooks: true } },
  { variable: "QWEN_CODE_SAFE_MODE" },
  { variable: "QWEN_CODE_SIMPLE" },
]);
