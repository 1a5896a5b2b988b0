import { runHook } from "./run-hook.ts";

// Nothing that a hook left running may keep the agent waiting.
runHook(process.argv.slice(2), process.env).then((code) => process.exit(code));
