import { createHash } from "node:crypto";
import { PACKAGE_VERSION } from "../../node/package-version.ts";
import { harmless } from "../../shared/harmless.ts";
import { builtBytes } from "./assets.ts";
import type { Report, ReportContent } from "./wire.ts";

/**
 * The dashboard, frozen: one file that opens from a disk, needs nothing else and can change nothing. It allows its own script
 * and its own style, by their digests.
 */
export function reportPage(content: ReportContent, now = new Date()): string {
  const report: Report = { made_at: now.toISOString(), version: PACKAGE_VERSION, ...content };
  const json = JSON.stringify(shownValue(report)).replaceAll("<", "\\u003c");
  const { script, style, icon } = parts();
  const policy = [
    "default-src 'none'",
    `script-src '${digest(script)}'`,
    `style-src '${digest(style)}'`,
    "font-src data:",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="${icon}">
<title>Tenterhook</title>
<style>${style}</style>
</head>
<body>
<div id="root"></div>
<script type="application/json" id="report">${json}</script>
<script type="module">${script}</script>
</body>
</html>
`;
}

/** The script and the style of the live page; the font is a part of the style. */
function parts() {
  const html = builtBytes("index.html").toString();
  const named = (ending: string): string => new RegExp(`assets/[\\w.-]+\\.${ending}`).exec(html)?.[0] ?? "";
  const style = builtBytes(named("css"))
    .toString()
    .replaceAll(
      /url\((?:\.\/)?([\w.-]+\.woff2)\)/g,
      (_, name: string) => `url(data:font/woff2;base64,${builtBytes(`assets/${name}`).toString("base64")})`,
    );
  return {
    script: builtBytes(named("js")).toString().replaceAll("</script", "<\\/script"),
    style,
    icon: `data:image/svg+xml,${encodeURIComponent(builtBytes("favicon.svg").toString().trim())}`,
  };
}

function digest(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

/** A JSON value in which no text can hide something from its reader. */
function shownValue(value: unknown): unknown {
  if (typeof value === "string") return harmless(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(shownValue);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [harmless(key), shownValue(item)]));
}
