import { runHook } from "./run-hook.ts";

// Whatever a hook left behind must not keep the agent waiting: everything is said and written by now.
runHook(process.argv.slice(2), process.env).then((code) => process.exit(code));
