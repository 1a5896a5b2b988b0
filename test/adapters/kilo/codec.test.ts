import { kilo } from "../../../src/adapters/kilo/kilo.ts";
import { OPENCODE_DOES } from "../plugins/opencode-does.ts";
import { pluginUnderstands } from "../plugins/understands.ts";
import { adapterSuite } from "../support/adapter-suite.ts";

adapterSuite({
  adapter: kilo,
  understands: pluginUnderstands({ ...OPENCODE_DOES, "session.idle": {}, "session.idle.subagent": {} }),
  unstoppable: ["PreCompact"],
});
