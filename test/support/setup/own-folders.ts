import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

// Nothing a test does may reach this user's own state.
const folder = mkdtempSync(join(tmpdir(), "tenterhook-test-"));
process.env.XDG_STATE_HOME = join(folder, "state");
process.env.XDG_CONFIG_HOME = join(folder, "config");
process.env.XDG_CACHE_HOME = join(folder, "cache");

afterAll(() => rmSync(folder, { recursive: true, force: true }));
