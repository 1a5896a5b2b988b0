import { beforeAll, describe, expect, it } from "vitest";
import type { RulePorts } from "../../../src/rules/fields/judged-event.ts";
import { protectSecrets } from "../../../src/rules/packs/protect-secrets.ts";
import { safeShell } from "../../../src/rules/packs/safe-shell.ts";
import { compileInlineRules, type InlineRules } from "../../../src/rules/rules.ts";
import { bash, ports } from "../ports.ts";
import { type LabelledLine, labelledLines } from "./corpus.ts";

const HERE: Readonly<Record<string, string>> = { HOME: "/home/ann", PATH: "/bin" };

let files: readonly string[] = [];
let environment: Readonly<Record<string, string>> = HERE;
let hooks: readonly InlineRules[] = [];

beforeAll(async () => {
  const here: RulePorts = {
    ...ports,
    get environment() {
      return environment;
    },
    holdsData: (path) => files.includes(path),
  };
  const definitions = [...safeShell.definitions, ...protectSecrets.definitions];
  hooks = await Promise.all(definitions.map((definition) => compileInlineRules(definition, here)));
});

/** What the packs of `init` answer in a project with these files. */
async function isStopped(command: string, there: readonly string[] = [], set = HERE): Promise<boolean> {
  files = there;
  environment = set;
  for (const { decide } of hooks) {
    const { action } = await decide(bash(command));
    if (action === "ask" || action === "deny") return true;
  }
  return false;
}

async function thatAre(stopped: boolean, label: LabelledLine["label"]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { command, files: there, label: own } of labelledLines("accidents"))
    if (own === label && (await isStopped(command, there)) === stopped) found.push(command);
  return found;
}

describe("the packs of init", () => {
  it("stop the accidents of publishing, production, processes and overwritten data", async () => {
    expect(await thatAre(false, "destructive")).toEqual([]);
  });

  it("leave the harmless lines close to them alone", async () => {
    expect(await thatAre(true, "safe")).toEqual([]);
  });
});

describe("a file is overwritten", () => {
  it.each([
    ["cp .env.example .env", ".env"],
    ["cat template > .env", ".env"],
    ["curl -o .env https://example.com/env", ".env"],
    ["python3 -c \"open('app.sqlite3', 'w').write('')\"", "app.sqlite3"],
    ["ln -sfn /tmp/empty src", "src"],
  ])("only when it is there: %s", async (command, file) => {
    expect(await isStopped(command, [file])).toBe(true);
    expect(await isStopped(command)).toBe(false);
  });

  it("in the folder that the line has gone to", async () => {
    expect(await isStopped("cd app && cp .env.example .env", ["app/.env"])).toBe(true);
    expect(await isStopped("cd app && cp .env.example .env", [".env"])).toBe(false);
  });
});

describe("a variable of the environment", () => {
  it.each(['rm -rf "$TMPDIR"/*', "rm -rf $BUILD_DIR/", 'rm -rf "$RUNNER_TEMP"/*', "rm -rf ${DIST_DIR}/"])(
    "that is not set makes a path of the root: %s",
    async (command) => {
      const set = { TMPDIR: "/tmp/a", BUILD_DIR: "dist", RUNNER_TEMP: "/tmp/b", DIST_DIR: "dist" };
      expect(await isStopped(command, [], HERE)).toBe(true);
      expect(await isStopped(command, [], { ...HERE, ...set })).toBe(false);
    },
  );

  it("that the line has taken away is empty", async () => {
    const environment = { ...HERE, TMPDIR: "/tmp/a" };
    expect(await isStopped("unset TMPDIR; rm -rf $TMPDIR/*", [], environment)).toBe(true);
    expect(await isStopped("unset X; rm -rf ${X-/}", [], environment)).toBe(true);
  });

  it("may be set by a file that the line has sourced", async () => {
    expect(await isStopped('source build.sh && rm -rf "$BUILD_DIR/"')).toBe(false);
  });
});
