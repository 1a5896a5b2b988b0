import { GEMINI } from "../support/gemini.ts";
import { clientSuite } from "../support/scenarios.ts";
import { switchSuite } from "../support/switches.ts";

clientSuite(GEMINI);

switchSuite(GEMINI, [
  { file: ".gemini/settings.json", json: { hooksConfig: { enabled: false } } },
  { file: "~/.gemini/settings.json", json: { hooksConfig: { enabled: false } } },
]);
