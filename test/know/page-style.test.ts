import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { STYLE } from "../../src/know/page/style.ts";
import { ROOT } from "../repository/support/files.ts";

/** The colours of a sheet: those of light pages first, then those of dark ones. */
function coloursIn(css: string): readonly ReadonlyMap<string, string>[] {
  return [...css.matchAll(/--paper:[^}]*/g)].map(
    ([block]) =>
      new Map(
        [...block.matchAll(/(--[\w-]+):\s*(#[0-9a-f]+)/g)].map(([, name = "", value = ""]) => [name, value]),
      ),
  );
}

it("reports of replay and prove have the colours of the dashboard", () => {
  const sheet = readFileSync(join(ROOT, "src/dashboard/style/tokens.css"), "utf8");
  const [light, dark] = coloursIn(sheet);
  const [ourLight, ...ourDark] = coloursIn(STYLE);
  expect(ourLight?.size).toBeGreaterThan(15);
  expect(light).toEqual(new Map([...(light ?? []), ...(ourLight ?? [])]));
  for (const one of ourDark) expect(dark).toEqual(new Map([...(dark ?? []), ...one]));
});
