import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** Everything comes from this server, and nothing is inline: text that became part of the page could do nothing. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
};

/** The files that the build makes of src/dashboard. */
function folder(): string {
  return join(dirname(createRequire(import.meta.url).resolve("tenterhook/package.json")), "dist/dashboard");
}

export function builtBytes(name: string): Buffer {
  return readFileSync(join(folder(), name));
}

/** A file of the page by its name; `undefined` for an unknown name, such as one that leaves the folder. */
export function asset(name: string): Response | undefined {
  if (!/^assets\/[\w.-]+$|^favicon\.svg$/.test(name)) return undefined;
  try {
    const bytes = builtBytes(name);
    return new Response(new Uint8Array(bytes), {
      headers: {
        ...SAFE_HEADERS,
        "content-type": TYPES[extname(name)] ?? "application/octet-stream",
        // Names change with the content.
        "cache-control": name.startsWith("assets/") ? "max-age=31536000, immutable" : "max-age=3600",
      },
    });
  } catch {
    return undefined;
  }
}

/** How a page gets its token: from a link, from a person, or not at all, where a server of their own lets people in. */
export type Login = "link" | "token" | "none";

/** The page, for any of its addresses below a path. */
export function page(base: string, login: Login): Response {
  const path = base.replaceAll(/[^\w./~-]/g, encodeURIComponent);
  const html = builtBytes("index.html")
    .toString()
    .replace('<base href="/"', `<base href="${path}"`)
    .replace('name="login" content=""', `name="login" content="${login}"`);
  return new Response(html, {
    headers: { ...SAFE_HEADERS, "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
  });
}
