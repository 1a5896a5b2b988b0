import { expect, test } from "vitest";
import { PACKAGE_VERSION } from "../../src/node/package-version.ts";
import { read } from "./support/files.ts";

test("the version in the sources is the one of the manifest", () => {
  expect(PACKAGE_VERSION).toBe(JSON.parse(read("package.json")).version);
});
