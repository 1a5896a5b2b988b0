import { OPENCODE } from "../support/opencode.ts";
import { clientSuite } from "../support/scenarios.ts";
import { switchSuite } from "../support/switches.ts";

clientSuite(OPENCODE);

switchSuite(OPENCODE, [{ variable: "OPENCODE_PURE" }]);
