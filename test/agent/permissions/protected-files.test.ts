import { relative } from "node:path";
import { expect, it } from "vitest";
import { protectedPaths } from "../../../src/node/process/sandbox/protected-paths.ts";
import {
  AGENT_FOLDERS,
  CREDENTIAL_FILES,
  CREDENTIAL_FOLDERS,
  LOGIN_FILES,
  OWN_FOLDERS,
} from "../../../src/shared/protected-files.ts";

it("the sandbox, which can't import core, protects what the shared lists of protected files name", () => {
  const home = "/home/of-nobody";
  const names = protectedPaths([home], home).readOnly.map((path) => relative(home, path));
  const always = [...OWN_FOLDERS, ...CREDENTIAL_FOLDERS, ...CREDENTIAL_FILES, ...LOGIN_FILES];
  expect(names).toEqual(expect.arrayContaining(always));
  const known = [...always, ...AGENT_FOLDERS, ".git/hooks", ".gitconfig", ".docker", ".config"];
  expect(names.filter((name) => !known.includes(name))).toEqual([]);
});
