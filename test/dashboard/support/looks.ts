import type { Page } from "playwright-core";
import { barriers } from "./axe.ts";
import { takePicture } from "./pictures.ts";

const WIDE = { width: 1360, height: 900 };
const PHONE = { width: 390, height: 844 };

/**
 * How people see a page; the usual look is the last one, and stays. The scheme changes nothing but colours, and a phone has those
 * of a wide window, with its links on a card like other text: a dark phone shows nothing that the others do not.
 */
const LOOKS = [
  { name: "wide-dark", viewport: WIDE, colorScheme: "dark", rules: "colours" },
  { name: "phone-light", viewport: PHONE, colorScheme: "light", rules: "everything" },
  { name: "wide-light", viewport: WIDE, colorScheme: "light", rules: "everything" },
] as const;

const WHEN_PAINTED = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";

/** Shows the page in each look and takes its picture. Returns what is hard to use or wider than the window there. */
export async function faultsInEveryLook(page: Page, picture: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { name, viewport, colorScheme, rules } of LOOKS) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.evaluate(WHEN_PAINTED);
    await takePicture(page, `${picture}-${name}`);
    if (await page.evaluate("document.documentElement.scrollWidth > innerWidth"))
      found.push(`${name}: something is wider than the window`);
    for (const barrier of await barriers(page, rules)) found.push(`${name}: ${barrier}`);
  }
  return found;
}
