import { CODEX } from "../support/codex.ts";
import { clientSuite } from "../support/scenarios.ts";
import { switchSuite } from "../support/switches.ts";

clientSuite(CODEX);

const OFF = "\n[features]\nhooks = false\n";

switchSuite(CODEX, [
  { file: "~/.codex/config.toml", text: OFF },
  { file: "~/.codex/config.toml", text: OFF.replace("hooks", "codex_hooks") },
  { file: ".codex/config.toml", text: OFF },
]);
