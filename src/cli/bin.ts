import { fastRequire } from "./hook/startup/fast-require.ts";

const [, , command, ...rest] = process.argv;

// Agents call this one before every tool, so that nothing else may be loaded for it.
if (command === "hook" && rest.every((argument) => argument === "--beside"))
  fastRequire(__dirname, () => import("./hook/slow-path.ts"))("./hook.cjs");
else import("./main.ts");
