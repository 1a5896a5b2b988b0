import { execFileSync } from "node:child_process";
import { beforeAll } from "vitest";
import { mustBeBuilt } from "../repository/support/files.ts";
import { hostileFilesSuite } from "./support/hostile-files-suite.ts";

beforeAll(mustBeBuilt);

// The program itself meets the worst kind; the others are read by the same code in the test's process.
hostileFilesSuite({ "a pipe": (file) => void execFileSync("mkfifo", [file]) }, {});
