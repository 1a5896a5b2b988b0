import { expect, test } from "vitest";
import { ADDRESS, addressFields } from "../../scripts/address.mjs";
import { read } from "./support/files.ts";

const NAMED = Object.keys(addressFields("https://example.com"));

test("the manifest names the address of the project, or none", () => {
  const manifest: Record<string, unknown> = JSON.parse(read("package.json"));
  const named = Object.fromEntries(Object.entries(manifest).filter(([key]) => NAMED.includes(key)));
  expect(named).toEqual(addressFields(ADDRESS));
});

test.each(["SECURITY.md", "CODE_OF_CONDUCT.md"])("%s says whether the project is published", (page) => {
  expect(read(page).includes(ADDRESS ?? "not published")).toBe(true);
});
