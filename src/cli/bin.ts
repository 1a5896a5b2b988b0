import { ASYNC_FLAG } from "./hook/startup/async-flag.ts";
import { fastRequire } from "./hook/startup/fast-require.ts";

const [, , command, ...rest] = process.argv;

// Agents call `tenterhook hook` before every tool, so nothing else may be loaded for it.
if (command === "hook" && rest.every((argument) => argument === ASYNC_FLAG))
  fastRequire(__dirname, () => import("./hook/slow-path.ts"))("./hook.cjs");
else import("./main.ts");
