import { expect, it } from "vitest";
import { isOlderVersion } from "../../src/node/package-version.ts";

it.each([
  ["1.0.0", "1.0.1"],
  ["1.9.0", "1.10.0"],
  ["1.0.0-beta", "1.0.0"],
  ["1.0.0-beta.2", "1.0.0-beta.10"],
  ["1.0.0", "1.0.1-beta"],
])("the version %s is older than %s, and not the other way round", (one, other) => {
  expect([isOlderVersion(one, other), isOlderVersion(other, one), isOlderVersion(one, one)]).toEqual([
    true,
    false,
    false,
  ]);
});
