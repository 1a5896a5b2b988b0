import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { releasedFiles } from "../../scripts/release.mjs";
import { mustBeBuilt, ROOT, read } from "./support/files.ts";
import { run } from "./support/run.ts";

test("a release writes the version into every file that has it, and dates the changelog", () => {
  const files = releasedFiles(read, "7.8.9-beta.1", "2027-01-02");
  const named = ["package.json", "package-lock.json", "sqlite/package.json", "src/node/package-version.ts"];
  expect([...files.keys()]).toEqual([...named, "CHANGELOG.md"]);
  const { version } = JSON.parse(read("package.json"));
  for (const name of named) {
    const changed = (files.get(name) ?? "")
      .split("\n")
      .filter((line, at) => line !== read(name).split("\n")[at]);
    expect(changed.length, name).toBeGreaterThan(0);
    expect(
      changed.every((line) => line.includes("7.8.9-beta.1")),
      name,
    ).toBe(true);
  }
  const lock = JSON.parse(files.get("package-lock.json") ?? "");
  expect([lock.packages[""].version, lock.packages.sqlite.version]).toEqual(["7.8.9-beta.1", "7.8.9-beta.1"]);
  expect(files.get("CHANGELOG.md")).toContain("\n## 7.8.9-beta.1 (2027-01-02)\n");
  expect(files.get("CHANGELOG.md")).not.toContain(`Unreleased: ${version}`);
});

test("a version that is none, or a changelog without what changed, is refused", () => {
  expect(() => releasedFiles(read, "next", "2027-01-02")).toThrow("next is no version");
  const released = (file: string) => read(file).replace("## Unreleased", "## Released");
  expect(() => releasedFiles(released, "1.0.0", "2027-01-02")).toThrow("no section Unreleased");
});

test("a dry run says what would be released, and changes nothing", async () => {
  mustBeBuilt();
  const status = () => execFileSync("git", ["status", "--porcelain"], { cwd: ROOT, encoding: "utf8" });
  const before = status();
  const { code, output } = await run(ROOT, process.execPath, "scripts/release.mjs", "9.9.9", "--dry-run");
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining("Nothing was changed.") });
  expect(output).toMatch(/^version +9\.9\.9 in package\.json/m);
  expect(output).toMatch(/^package +tenterhook-\S+\.tgz: \d+ files/m);
  expect(output).toMatch(/^integrity +sha512-/m);
  expect(output).toMatch(/^sbom +dist\/sbom\.cdx\.json: \d+ packages/m);
  expect(output).toMatch(/^tag +v9\.9\.9/m);
  expect(status()).toBe(before);
});
