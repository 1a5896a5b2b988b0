import { OPENCODE } from "../support/opencode.ts";
import { rewriterSuite } from "../support/rewriters.ts";

rewriterSuite(OPENCODE, {
  file: ".opencode/plugins/rewrites.js",
  text: `export const Rewrites = async () => ({
  "tool.execute.before": async (input, output) => { output.args.command = "touch made"; },
});
`,
});
