import { createHash } from "node:crypto";
import { SAFE_HEADERS } from "./assets.ts";

/** In the colours of the page, whose own files nobody gets before a login. */
const STYLE = `:root{color-scheme:light;--paper:#fbfbfa;--card:#fff;--line:#e6e5e1;--edge:#d3d2cc;--ink:#1b1b19;--quiet:#5c5b55;--stop:#b3261e;--sunk:#f3f3f1}
@media(prefers-color-scheme:dark){:root{color-scheme:dark;--paper:#141413;--card:#1b1b1a;--line:#2c2c29;--edge:#3d3d39;--ink:#ecebe7;--quiet:#a9a8a1;--stop:#f2897f;--sunk:#222220}}
body{margin:0;background:var(--paper);color:var(--ink);font:14px/1.5 system-ui,sans-serif}
main{box-sizing:border-box;max-width:420px;margin:14vh auto 0;padding:0 16px}
h1{font-size:17px;margin:0 0 12px}
form,.card{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:16px}
label{display:block;margin-bottom:12px}
input{box-sizing:border-box;width:100%;margin-top:4px;padding:7px 10px;font:inherit;color:inherit;background:var(--card);border:1px solid var(--edge);border-radius:6px}
button{font:inherit;font-weight:500;padding:6px 14px;border:0;border-radius:6px;background:var(--ink);color:var(--paper)}
code{font-size:12.5px;background:var(--sunk);padding:1px 4px;border-radius:4px;overflow-wrap:anywhere}
p{margin:0 0 8px}form+p{margin-top:14px;color:var(--quiet)}[role=alert]{color:var(--stop);margin-bottom:12px}`;

const DIGEST = createHash("sha256").update(STYLE).digest("base64");

/** What somebody sees who has not logged in: no script, and no file that needs a login. */
export function loginPage(
  content: string,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const policy = (SAFE_HEADERS["content-security-policy"] ?? "")
    .replace("style-src 'self'", `style-src 'sha256-${DIGEST}'`)
    .replace("form-action 'none'", "form-action 'self'");
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Log in · Tenterhook</title><style>${STYLE}</style></head><body><main><h1>Log in to Tenterhook</h1>${content}</main></body></html>`;
  return new Response(html, {
    status,
    headers: {
      ...SAFE_HEADERS,
      "content-security-policy": policy,
      "cache-control": "no-store",
      "content-type": "text/html; charset=utf-8",
      ...headers,
    },
  });
}
