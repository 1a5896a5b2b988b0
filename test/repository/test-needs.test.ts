import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { NEEDS } from "../../scripts/needed-programs.mjs";
import { leaveOut, notLinux } from "../support/not-here.ts";
import { ROOT, temporaryFolder } from "./support/files.ts";

const SCRIPT = join(ROOT, "scripts/test-needs.mjs");
const PROGRAMS: readonly string[] = NEEDS.map(({ program }) => program);

/** A machine that has these programs alone, and an apt-get that runs these lines, if one. */
function machine({ without, aptGet }: { readonly without: readonly string[]; readonly aptGet?: string }) {
  const folder = temporaryFolder();
  const add = (name: string, lines: string) => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${lines}\n`);
    chmodSync(join(folder, name), 0o755);
  };
  for (const name of PROGRAMS.filter((program) => !without.includes(program))) add(name, "exit 0");
  for (const name of ["env", "touch", "chmod", "true"])
    symlinkSync(join("/usr/bin", name), join(folder, name));
  if (aptGet !== undefined) {
    add("apt-get", `cd ${folder}; echo "$DEBIAN_FRONTEND $*" >> asked\n${aptGet}`);
    // For who is not root.
    add("sudo", 'shift; exec "$@"');
  }
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT], {
    env: { PATH: folder },
    encoding: "utf8",
  });
  const asked = existsSync(join(folder, "asked")) ? readFileSync(join(folder, "asked"), "utf8") : "";
  return { status, stdout, stderr, asked: asked.trimEnd().split("\n") };
}

const INSTALL = "noninteractive -o DPkg::Lock::Timeout=600 -q install -y --no-install-recommends";
const UPDATE = "noninteractive -o DPkg::Lock::Timeout=600 -q update";

describe("the programs that the tests need", () => {
  leaveOut(notLinux);

  test("are all there: nothing is said and nothing installed", () => {
    expect(machine({ without: [], aptGet: "exit 1" })).toEqual({
      status: 0,
      stdout: "",
      stderr: "",
      asked: [""],
    });
  });

  test("are installed when they are missing", () => {
    const aptGet = "touch jq zsh; chmod +x jq zsh";
    expect(machine({ without: ["jq", "zsh"], aptGet })).toEqual({
      status: 0,
      stdout: "Installing what the tests need: jq, zsh.\n",
      stderr: "",
      asked: [`${INSTALL} jq zsh`],
    });
  });

  test("are installed after an update when the lists of packages do not have them", () => {
    const aptGet = `case "$*" in *update) touch lists ;; *) [ -e lists ] && touch bwrap && chmod +x bwrap ;; esac`;
    expect(machine({ without: ["bwrap"], aptGet })).toMatchObject({
      status: 0,
      asked: [`${INSTALL} bubblewrap`, UPDATE, `${INSTALL} bubblewrap`],
    });
  });

  test.each([
    ["can't be installed", "exit 100"],
    ["are still missing after they were installed", "exit 0"],
    ["have no apt-get", undefined],
  ])("that %s are named with the command, and do not keep the other tests from running", (_, aptGet) => {
    const ended = machine({ without: ["bwrap", "fish"], ...(aptGet === undefined ? {} : { aptGet }) });
    expect([ended.status, ended.stdout.trimEnd().split("\n").at(-1)]).toEqual([
      0,
      "Tests that need bubblewrap, fish will not run. To run them, too: sudo apt-get update && sudo apt-get install bubblewrap fish",
    ]);
  });
});

test("the programs are printed with their packages, for a machine that shall not have them", () => {
  const printed = execFileSync(process.execPath, [SCRIPT, "--list"], { encoding: "utf8" });
  expect(
    printed
      .trimEnd()
      .split("\n")
      .map((line) => line.split(" ")[0]),
  ).toEqual(PROGRAMS);
  expect(printed).toContain("\nbwrap bubblewrap\n");
});
