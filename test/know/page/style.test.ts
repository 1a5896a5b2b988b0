import { expect, it } from "vitest";
import { STYLE } from "../../../src/know/page/style.ts";
import { read } from "../../repository/support/files.ts";

/** The values of each token, light before dark; a dark theme that is written twice counts once. */
function tokens(css: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [, name = "", value = ""] of css.matchAll(/(--[\w-]+):\s*([^;]+);/g)) {
    const values = found.get(name) ?? [];
    if (!values.includes(value.trim())) found.set(name, [...values, value.trim()]);
  }
  return found;
}

it("reports have the colours and the fonts of the dashboard, in light and dark", () => {
  const [ours, dashboard] = [tokens(STYLE), tokens(read("src/dashboard/style/tokens.css"))];
  // How high a row of the list is, which the dashboard's list does not have.
  const shared = [...ours].filter(([name]) => name !== "--row");
  expect(Object.fromEntries(shared)).toEqual(
    Object.fromEntries(shared.map(([name]) => [name, dashboard.get(name)])),
  );
});
