import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { writeAtomically } from "../../node/files/atomic-write.ts";
import { readOwnFile } from "../../node/files/own-file.ts";
import { failure } from "../http-failures.ts";

/** The token of earlier daemons, so that clients that have read it go on. */
export async function tokenIn(file: string): Promise<string> {
  const { text: known = "" } = readOwnFile(file, 1000);
  if (/^[0-9a-f]{64}$/.test(known)) return known;
  const made = randomBytes(32).toString("hex");
  await writeAtomically(file, made);
  return made;
}

export function onlyWithToken(token: string): MiddlewareHandler {
  const wanted = digest(`Bearer ${token}`);
  return async (context, next) => {
    if (!timingSafeEqual(wanted, digest(context.req.header("authorization") ?? "")))
      return context.json(refused("token"), 401);
    return next();
  };
}

/**
 * Lets a request through that comes from a program on this machine, or from the page that is served at the same address. Any
 * other page in a browser has a foreign Origin, or a foreign Host when its name was pointed here.
 */
export function onlyFromHere(port: () => number): MiddlewareHandler {
  return async (context, next) => {
    const hosts = ["127.0.0.1", "localhost", "[::1]"].map((name) => `${name}:${port()}`);
    const host = context.req.header("host") ?? "";
    if (!hosts.includes(host)) return context.json(refused("Host"), 403);
    const origin = context.req.header("origin");
    // The other names may lead to another program at the same port.
    if (origin !== undefined && origin !== `http://${host}`) return context.json(refused("Origin"), 403);
    return next();
  };
}

function refused(what: string) {
  return failure("not_allowed", `The ${what} of this request is missing or not allowed.`);
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
