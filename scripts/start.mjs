// npm start: builds Tenterhook, then shows its demo.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root, run } from "./run.mjs";

if (existsSync(join(root, "node_modules"))) {
  console.log("Building Tenterhook (about 20 s) …");
  run(process.execPath, "scripts/build.mjs");
  run(process.execPath, "dist/tenterhook.cjs", "demo");
} else {
  console.error("Run npm install first.");
  process.exitCode = 1;
}
