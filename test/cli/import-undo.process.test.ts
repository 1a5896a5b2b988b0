import { undoSuite } from "./support/import-undo-suite.ts";

// install asks the login shell in which Cursor starts hooks.
undoSuite([["cursor", "project", '{"version":1,  "hooks":{"stop":[{"command":"./b.sh"}]}}']]);
