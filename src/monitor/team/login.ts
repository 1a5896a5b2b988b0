import type { HonoRequest } from "hono";
import type { Api } from "../daemon/api.ts";
import { SAFE_HEADERS } from "../dashboard/assets.ts";
import { hostOf } from "../dashboard/handler.ts";
import { loginPage } from "../dashboard/login-page.ts";
import { limited } from "../http-failures.ts";
import type { Tokens } from "./tokens.ts";

/** `__Host-`: browsers send it to this server alone, and only with TLS. */
const COOKIE = "__Host-tenterhook-team";
/** A server of this machine may have no TLS. */
const LOOPBACK_COOKIE = "tenterhook-team";
const SECONDS = 30 * 24 * 60 * 60;

/** People log in at the page of a team with their token. It is in no address, and in a cookie that no script can read. */
export function loginRoutes(server: Api, tokens: Pick<Tokens, "valid">): void {
  server.get("/login", () => loginForm("", 200));
  server.use("/login", limited);
  server.post("/login", async (context) => {
    const { token } = await context.req.parseBody().catch(() => ({ token: "" }));
    const known =
      typeof token === "string" && isOwnPage(context.req) ? await tokens.valid(token.trim()) : undefined;
    if (known === undefined) return loginForm("This token is unknown, expired or revoked.", 401);
    if (known.role === "reporter")
      return loginForm("A reporter's token is for a machine, not for people.", 403);
    const cookie = isEncrypted(context.req)
      ? `${COOKIE}=${String(token).trim()}; Secure`
      : `${LOOPBACK_COOKIE}=${String(token).trim()}`;
    return new Response(null, {
      status: 303,
      headers: {
        ...SAFE_HEADERS,
        location: "/",
        "set-cookie": `${cookie}; Path=/; Max-Age=${SECONDS}; HttpOnly; SameSite=Strict`,
        "cache-control": "no-store",
      },
    });
  });
}

export function tokenInCookie(request: HonoRequest): string | undefined {
  const name = isEncrypted(request) ? COOKIE : LOOPBACK_COOKIE;
  const pairs = (request.header("cookie") ?? "").split("; ").map((pair) => pair.split("="));
  return pairs.find(([key]) => key === name)?.[1];
}

function isEncrypted({ url }: HonoRequest): boolean {
  return url.startsWith("https:");
}

/** False for a request that another page has a browser send. */
export function isOwnPage(request: HonoRequest): boolean {
  const from = request.header("sec-fetch-site");
  const origin = request.header("origin");
  const isChange = request.method !== "GET" && request.method !== "HEAD";
  if (isChange && (origin === undefined || hostOf(origin) !== request.header("host"))) return false;
  return from === undefined || from === "same-origin" || from === "none" || isDocument(request);
}

/** A link on another page may lead here: what it shows, that page can't read. */
function isDocument(request: HonoRequest): boolean {
  return request.method === "GET" && request.header("sec-fetch-dest") === "document";
}

/** What somebody sees who has not logged in. */
export function loginForm(problem: string, status: number): Response {
  const alert = problem === "" ? "" : `<p role="alert">${problem}</p>`;
  const field = `<label>Token<input type="password" name="token" autocomplete="off" autofocus required></label>`;
  const where = `<p>Whoever runs this monitor gives you a token: <code>tenterhook monitor token create --role person</code>.</p>`;
  const form = `<form method="post" action="/login">${alert}${field}<button>Log in</button></form>${where}`;
  // Without a referrer a browser does not say from which page a form comes, and its token would be refused.
  return loginPage(form, status, { "referrer-policy": "same-origin" });
}
