import { beforeAll } from "vitest";
import { mustBeBuilt } from "../repository/support/files.ts";
import { scriptsSuite } from "./support/scripts-suite.ts";

beforeAll(mustBeBuilt);

// Their hooks and tools are programs, or they give a command something on stdin.
scriptsSuite(new URL("scripts/long/", import.meta.url));
