import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, it } from "vitest";
import { nodeFiles, nodePaths } from "../../src/node/ports.ts";
import { pathsOf } from "../../src/shared/system/file-view.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

it("links are followed also from a folder that is named from where the process is", () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "secret"));
  writeFileSync(join(folder, "secret/key"), "");
  symlinkSync("secret/key", join(folder, "innocent"));
  const whole = nodePaths.spellings("innocent", folder);
  expect(whole).toEqual([join(folder, "innocent"), join(folder, "secret/key")]);
  const inside = relative(process.cwd(), folder);
  expect(nodePaths.spellings("innocent", `./${inside}`)).toEqual(whole);
  expect(nodePaths.spellings("package.json", ".")).toEqual([join(process.cwd(), "package.json")]);
  expect(nodePaths.spellings("../x", "test")).toEqual([join(process.cwd(), "x")]);
});

it("a path in another case means the file that a system without regard to case finds", () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "Private"));
  writeFileSync(join(folder, "Private/.ENV"), "");
  const paths = pathsOf({
    ...nodeFiles,
    trueSpelling: (path) => path.replace("/Private", "/private").replace(".ENV", ".env"),
  });
  expect(paths.spellings("Private/.ENV", folder)).toEqual([
    join(folder, "Private/.ENV"),
    join(folder, "private/.env"),
  ]);
  expect(paths.spellings("Private/New/a", folder)).toEqual([
    join(folder, "Private/New/a"),
    join(folder, "private/New/a"),
  ]);
});
