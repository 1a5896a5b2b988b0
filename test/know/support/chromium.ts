import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";

/** What Chromium makes of a page, given as the URL of a file; it has no network. It leaves its files in the folder. */
export async function chromium(folder: string, url: string, ...more: readonly string[]): Promise<string> {
  const still = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    `--user-data-dir=${join(folder, "chromium")}`,
  ];
  const alone = ["--disable-background-networking", "--proxy-server=127.0.0.1:9", "--enable-logging=stderr"];
  const { stdout, stderr } = await promisify(execFile)("chromium", [...still, ...alone, ...more, url], {
    timeout: 60_000,
    maxBuffer: 100_000_000,
    env: { PATH: process.env.PATH, HOME: folder, TMPDIR: folder },
  });
  expect(stderr).not.toMatch(/CONSOLE.*(?:Error|Refused)/);
  return stdout;
}

/** Expects that a page is drawn in light and dark, and as wide as a phone. */
export async function expectDrawn(folder: string, url: string): Promise<void> {
  const shot = async (name: string, size: string, scheme: number): Promise<Buffer> => {
    const picture = join(folder, `${name}.png`);
    const how = [
      `--blink-settings=preferredColorScheme=${scheme}`,
      `--window-size=${size}`,
      `--screenshot=${picture}`,
    ];
    await chromium(folder, url, "--hide-scrollbars", ...how);
    return readFileSync(picture);
  };
  const light = await shot("light", "1360,1000", 1);
  const dark = await shot("dark", "1360,1000", 0);
  const phone = await shot("phone", "500,1000", 1);
  const sizeOf = (picture: Buffer) => [picture.readUInt32BE(16), picture.readUInt32BE(20)];
  expect([light, dark, phone].map(sizeOf)).toEqual([
    [1360, 1000],
    [1360, 1000],
    [500, 1000],
  ]);
  expect(light.equals(dark)).toBe(false);
}
