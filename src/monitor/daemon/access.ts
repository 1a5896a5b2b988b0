import { createHash, timingSafeEqual } from "node:crypto";
import type { MiddlewareHandler } from "hono";

/**
 * Lets a request through that has the token and comes from a program on this machine. A page in a browser can send
 * requests to this machine too: it has a foreign Origin, or a foreign Host when its name was pointed here.
 */
export function onlyWithToken(token: string, port: () => number): MiddlewareHandler {
  const wanted = digest(`Bearer ${token}`);
  return async (context, next) => {
    const hosts = ["127.0.0.1", "localhost", "[::1]"].map((name) => `${name}:${port()}`);
    if (!hosts.includes(context.req.header("host") ?? "")) return context.json(refused("Host"), 403);
    const origin = context.req.header("origin");
    if (origin !== undefined && !hosts.some((host) => origin === `http://${host}`))
      return context.json(refused("Origin"), 403);
    if (!timingSafeEqual(wanted, digest(context.req.header("authorization") ?? "")))
      return context.json(refused("token"), 401);
    return next();
  };
}

function refused(what: string) {
  return {
    error: { code: "not_allowed", message: `The ${what} of this request is missing or not allowed.` },
  };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
