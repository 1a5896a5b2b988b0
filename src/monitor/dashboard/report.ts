import { PACKAGE_VERSION } from "../../node/package-version.ts";
import { harmless } from "../../shared/harmless.ts";
import { builtFile } from "./assets.ts";
import type { Report, ReportContent } from "./wire.ts";

/** The dashboard, frozen: one file that opens from a disk, needs nothing else and can change nothing. */
export function reportPage(content: ReportContent, now = new Date()): string {
  const report: Report = { made_at: now.toISOString(), version: PACKAGE_VERSION, ...content };
  const json = JSON.stringify(shownValue(report)).replaceAll("<", "\\u003c");
  return builtFile("report.html").replace('id="report">', (start) => `${start}${json}`);
}

/** A JSON value in which no text can hide something from its reader. */
function shownValue(value: unknown): unknown {
  if (typeof value === "string") return harmless(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(shownValue);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [harmless(key), shownValue(item)]));
}
