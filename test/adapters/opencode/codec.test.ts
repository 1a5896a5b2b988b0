import { opencode } from "../../../src/adapters/opencode/opencode.ts";
import { OPENCODE_DOES } from "../plugins/opencode-does.ts";
import { pluginUnderstands } from "../plugins/understands.ts";
import { adapterSuite } from "../support/adapter-suite.ts";

adapterSuite({
  adapter: opencode,
  understands: pluginUnderstands(OPENCODE_DOES),
  unstoppable: ["PreCompact"],
});
