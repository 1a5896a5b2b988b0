import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { installClient } from "../clients/support/install-clients.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const PROGRAM = `node_modules/@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`;
const MANIFEST = "node_modules/@anthropic-ai/claude-code/package.json";
const END =
  "These tests run on the real program: install it there by hand, or name a folder that has it in TENTERHOOK_CLIENTS, or the program itself in TENTERHOOK_CLAUDE.";

/** An npm that does what a script says, with the folder to install into as $folder. */
function withNpm(script: string): { folder: string; environment: NodeJS.ProcessEnv; calls: () => string } {
  const home = temporaryFolder();
  const folder = join(home, "clients");
  const log = join(home, "calls");
  mkdirSync(join(home, "bin"));
  const npm = `#!/bin/sh\necho "$*" >> '${log}'\nfolder='${folder}'\n${script}\n`;
  writeFileSync(join(home, "bin/npm"), npm);
  chmodSync(join(home, "bin/npm"), 0o755);
  const environment = { ...process.env, PATH: `${join(home, "bin")}:${process.env.PATH}` };
  return { folder, environment, calls: () => (existsSync(log) ? readFileSync(log, "utf8") : "") };
}

const writes = (version: string, program = PROGRAM): string =>
  `mkdir -p "$folder/$(dirname ${program})" "$folder/$(dirname ${MANIFEST})"
   echo '{ "version": "${version}" }' > "$folder/${MANIFEST}"
   touch "$folder/${program}"`;

it("a package with all it needs in a bundle is unpacked, and nothing that it depends on is installed", () => {
  const { folder, environment, calls } = withNpm(`
    [ "$1" = pack ] || exit 0
    mkdir -p package && echo '{ "version": "1.5.2" }' > package/package.json
    tar -czf bundle.tgz package && rm -r package
    mkdir -p "$folder/node_modules/node-${process.platform}-${process.arch}/bin"
    touch "$folder/node_modules/node-${process.platform}-${process.arch}/bin/node"`);
  installClient("pi", folder, environment);
  expect(
    calls()
      .split("\n")
      .filter((call) => call.includes("pi-coding-agent")),
  ).toEqual(["pack @earendil-works/pi-coding-agent@1.5.2 --silent --loglevel error"]);
  expect(existsSync(join(folder, "alone/@earendil-works/pi-coding-agent/package.json"))).toBe(true);
});

describe("the install step of the tests on real programs", () => {
  it("installs the pinned version into the folder, without scripts, and only once", () => {
    const { folder, environment, calls } = withNpm(writes("2.1.327"));
    installClient("claude", folder, environment);
    installClient("claude", folder, environment);
    expect(calls()).toBe(
      `install --ignore-scripts --no-audit --no-fund --loglevel error --prefix ${folder} @anthropic-ai/claude-code@2.1.327\n`,
    );
  });

  it("installs nothing when a variable names the program", () => {
    const { folder, environment, calls } = withNpm("exit 1");
    installClient("kilo", folder, { ...environment, TENTERHOOK_KILO: process.execPath });
    expect(calls()).toBe("");
  });

  it("replaces another version", () => {
    const { folder, environment, calls } = withNpm(writes("2.1.327"));
    mkdirSync(join(folder, MANIFEST, ".."), { recursive: true });
    writeFileSync(join(folder, MANIFEST), '{ "version": "2.1.197" }');
    installClient("claude", folder, environment);
    expect(calls()).toContain("@anthropic-ai/claude-code@2.1.327");
  });

  it.each([
    [
      "npm can't reach a registry",
      "echo 'npm error code EAI_AGAIN' >&2; echo 'npm error request to the registry failed' >&2; exit 1",
      "npm error request to the registry failed.",
    ],
    [
      "npm installs nothing for this machine",
      writes("2.1.327", "node_modules/@anthropic-ai/claude-code-other/claude"),
      `npm installed no program for ${process.platform}-${process.arch} in that version.`,
    ],
    [
      "npm installs an older one",
      writes("2.1.197"),
      `npm installed no program for ${process.platform}-${process.arch} in that version.`,
    ],
  ])("says in a sentence what to do when %s", (_, script, why) => {
    const { folder, environment } = withNpm(script);
    expect(() => installClient("claude", folder, environment)).toThrow(
      `@anthropic-ai/claude-code@2.1.327 could not be installed into ${folder}: ${why} ${END}`,
    );
  });

  it("says so too when there is no npm, or no such folder can be made", () => {
    const home = temporaryFolder();
    expect(() => installClient("claude", join(home, "clients"), { PATH: home })).toThrow(
      `could not be installed into ${join(home, "clients")}: spawnSync npm ENOENT. ${END}`,
    );
    writeFileSync(join(home, "file"), "");
    expect(() => installClient("claude", join(home, "file/clients"))).toThrow(END);
  });
});
