import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";

const { TENTERHOOK_PICTURES: FOLDER } = process.env;

/**
 * Writes a picture of the page when somebody wants pictures. Those of the guide are written by
 * `TENTERHOOK_PICTURES=docs/pictures npx vitest run test/dashboard/look`. The package has little room: reduce them to 128
 * colours before you commit them.
 */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (FOLDER === undefined) return;
  mkdirSync(FOLDER, { recursive: true });
  await page.screenshot({ path: join(FOLDER, `${name}.png`) });
}
