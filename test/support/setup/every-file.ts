import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect } from "vitest";
import { shareCompiledCode } from "../shared-code.ts";
import { removeFolder } from "../temporary-folder.ts";

// The same run twice tries the same: whoever changes a line learns of that line. `npm run test:all` draws anew.
if (process.env.TEST_LONG !== "1") fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_119 });

// Nothing a test does may reach this user's own state.
const folder = mkdtempSync(join(tmpdir(), "tenterhook-test-"));
process.env.XDG_STATE_HOME = join(folder, "state");
process.env.XDG_CONFIG_HOME = join(folder, "config");
process.env.XDG_CACHE_HOME = join(folder, "cache");
shareCompiledCode(join(folder, "cache"));
afterAll(() => removeFolder(folder));

// What runs the command line in this process sets them, and a daemon needs them until its test has ended.
const { argv } = process;
afterAll(() => {
  process.argv = argv;
});

// Listeners that pile up are a leak, of which Node warns once.
const leaks: string[] = [];
const onWarning = ({ name, message }: Error): void => {
  if (name === "MaxListenersExceededWarning") leaks.push(message);
};
process.on("warning", onWarning);
afterAll(() => {
  process.off("warning", onWarning);
  expect(leaks).toEqual([]);
});
