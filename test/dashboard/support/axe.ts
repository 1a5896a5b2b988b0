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

/** What is looked for: everything, or only what depends on colours. */
const RULES = { everything: {}, colours: { runOnly: ["color-contrast", "link-in-text-block"] } } as const;

/** What makes the page hard to use for people with screen readers, keyboards or weak eyes. */
export async function barriers(
  page: Page,
  rules: keyof typeof RULES = "everything",
): Promise<readonly string[]> {
  if (await page.evaluate("!('axe' in window)")) await page.evaluate(SOURCE);
  const options = JSON.stringify({ resultTypes: ["violations"], ...RULES[rules] });
  const { violations }: Found = await page.evaluate(
    `axe.run({ include: ["html"], exclude: ["${MORE_OF_THE_SAME}"] }, ${options})`,
  );
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
