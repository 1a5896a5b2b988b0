import { COPILOT } from "../support/copilot.ts";
import { clientSuite } from "../support/scenarios.ts";
import { switchSuite } from "../support/switches.ts";

clientSuite(COPILOT);

switchSuite(COPILOT, [
  { file: ".github/hooks/tenterhook.json", json: { disableAllHooks: true } },
  { file: ".github/copilot/settings.json", json: { disableAllHooks: true } },
  { file: ".github/copilot/settings.local.json", json: { disableAllHooks: true } },
  { file: ".claude/settings.json", json: { disableAllHooks: true } },
  { file: ".claude/settings.local.json", json: { disableAllHooks: true } },
]);
