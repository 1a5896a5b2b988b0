import { REFUSED } from "./flags.ts";
import { runHook } from "./run-hook.ts";

// Should this process end before it has decided, it has refused.
process.exitCode = REFUSED;
// Nothing that a hook left running may keep the agent waiting.
runHook(process.argv.slice(3), process.env).then((code) => process.exit(code));
