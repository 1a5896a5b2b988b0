import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

const MOST_STOPS = 90;

/** Where the keyboard is, and whether that can be seen. */
interface Stop {
  readonly name: string;
  readonly isSeen: boolean;
  readonly isMarked: boolean;
}

const HERE = `(() => {
  const element = document.activeElement;
  const { top, bottom, left, right, width } = element.getBoundingClientRect();
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  return {
    name: element.getAttribute("aria-label") ?? element.textContent.slice(0, 40),
    isSeen: width > 0 && bottom > 0 && top < innerHeight && right > 0 && left < innerWidth,
    isMarked: outlineStyle !== "none" && outlineWidth !== "0px",
  };
})()`;

/** Presses Tab until this has the focus. Every stop on the way must be in the window and marked. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  const bad: Stop[] = [];
  for (let stops = 0; stops < MOST_STOPS; stops += 1) {
    await page.keyboard.press("Tab");
    if (await page.evaluate("document.activeElement === document.body")) continue;
    const stop: Stop = await page.evaluate(HERE);
    if (!stop.isSeen || !stop.isMarked) bad.push(stop);
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) {
      expect(bad).toEqual([]);
      return;
    }
  }
  throw new Error(`The keyboard never came to ${target}.`);
}

/** Presses keys at once: the page waits for the second key of a pair for a moment only. */
export async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  await Promise.all(keys.map((key) => page.keyboard.press(key)));
}
