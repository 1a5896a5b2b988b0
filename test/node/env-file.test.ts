import { existsSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeEnvFile, readEnvFile, removeEnvFile } from "../../src/node/env-file.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** What a file with this text sets. */
function read(text: string, environment: Record<string, string> = {}) {
  const file = join(temporaryFolder(), "env");
  writeFileSync(file, text);
  return readEnvFile(file, environment);
}

describe("the file of a session's variables", () => {
  it("is readable by its user alone, in a folder of its own, and goes with that", () => {
    const file = makeEnvFile() ?? "";
    const modes = [file, dirname(file)].map((path) => statSync(path).mode & 0o777);
    expect(modes).toEqual([0o600, 0o700]);
    removeEnvFile(file);
    expect(existsSync(dirname(file))).toBe(false);
  });

  it("is read as shells write variables", () => {
    const text = `NODE_ENV=production
export A='single $HOME' # a note
export B="two words, \\"quoted\\" and \\$5"
declare -x C="several
lines"
D=plain\\ space;
E=
NODE_ENV=test
export PATH="$PATH:\${ROOT}/bin"
`;
    expect(read(text, { PATH: "/usr/bin", ROOT: "/r" })).toEqual({
      NODE_ENV: "test",
      A: "single $HOME",
      B: 'two words, "quoted" and $5',
      C: "several\nlines",
      D: "plain space",
      E: "",
      PATH: "/usr/bin:/r/bin",
    });
  });

  it.each([
    "A=$(id)",
    'A="$(id)"',
    "A=`id`",
    'A="`id`"',
    `A=$${"{HOME:-x}"}`,
    "A=1; rm -rf /",
    "A=1 && id",
    "rm -rf /",
    "1A=x",
    "A = x",
    'A="never ended',
    "A=\0",
    "TENTERHOOK_AGENT_ID=other",
  ])("runs nothing and leaves out %j", (line) => {
    expect(read(`${line}\nB=after\n`).A).toBeUndefined();
    expect(read(`B=before\n${line}\n`)).toEqual({ B: "before" });
  });

  it("that is missing or too long sets nothing", () => {
    expect(readEnvFile("/nowhere/env", {})).toEqual({});
    expect(read(`A=${"x".repeat(200_000)}\n`)).toEqual({});
  });
});
