import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const SOURCE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Found {
  readonly violations: readonly {
    readonly id: string;
    readonly impact?: string | null;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

/** The rows of a table that look like those before them: hundreds would take ten seconds. */
const MORE_OF_THE_SAME = "tbody tr:nth-child(n + 30)";

const RUN = `axe.run({ include: ["html"], exclude: ["${MORE_OF_THE_SAME}"] }, { resultTypes: ["violations"] })`;

/** What makes the page hard to use for people with screen readers, keyboards or weak eyes. */
export async function barriers(page: Page): Promise<readonly string[]> {
  await page.evaluate(SOURCE);
  const { violations }: Found = await page.evaluate(RUN);
  return violations.flatMap(({ id, impact, nodes }) =>
    impact === "serious" || impact === "critical" || impact === "moderate"
      ? nodes
          .slice(0, 3)
          .map(
            ({ html, failureSummary = "" }) => `${id}: ${html.slice(0, 200)} ${failureSummary.slice(0, 200)}`,
          )
      : [],
  );
}
