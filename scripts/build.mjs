import { rmSync } from "node:fs";
import { run } from "./run.mjs";

rmSync(new URL("../dist", import.meta.url), { recursive: true, force: true });
run("tsc", "-p", "tsconfig.build.json");
