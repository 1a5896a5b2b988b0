import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

const LINK_MILLISECONDS = 5 * 60 * 1000;
const SESSION_MILLISECONDS = 30 * 24 * 60 * 60 * 1000;
/** Who asks for more has forgotten the first ones. */
const MOST_LINKS = 20;

export type Logins = ReturnType<typeof createLogins>;

/**
 * Links that log in once, and the sessions that follow.
 *
 * @param secret signs sessions, so that they outlive the daemon. A new secret ends all sessions.
 */
export function createLogins(secret: string) {
  const links = new Map<string, number>();
  const signed = (text: string): string =>
    createHmac("sha256", secret).update(`dashboard session ${text}`).digest("base64url");
  // Browsers send the cookies of all ports of a machine to each: those of two daemons must not replace each other.
  const name = `tenterhook_${signed("name").replaceAll(/\W/g, "").slice(0, 8)}`;
  return {
    /** A code for a link. It counts once, and for five minutes. */
    code(): string {
      const code = randomBytes(24).toString("base64url");
      links.set(digest(code), Date.now() + LINK_MILLISECONDS);
      for (const old of [...links.keys()].slice(0, -MOST_LINKS)) links.delete(old);
      return code;
    },
    /** True for a code that was made here and has not been used. */
    take(code: string): boolean {
      const until = links.get(digest(code)) ?? 0;
      links.delete(digest(code));
      return until > Date.now();
    },
    /** The value of `set-cookie` that begins a session. */
    cookie(path: string): string {
      const text = `${Date.now() + SESSION_MILLISECONDS}.${randomBytes(12).toString("base64url")}`;
      const age = SESSION_MILLISECONDS / 1000;
      return `${name}=${text}.${signed(text)}; Path=${path}; Max-Age=${age}; HttpOnly; SameSite=Strict`;
    },
    isLoggedIn(cookies = ""): boolean {
      const [, until = "", nonce = "", signature = ""] =
        new RegExp(`(?:^|; )${name}=(\\d+)\\.([\\w-]+)\\.([\\w-]+)(?:;|$)`).exec(cookies) ?? [];
      const [given, wanted] = [Buffer.from(signature), Buffer.from(signed(`${until}.${nonce}`))];
      return given.length === wanted.length && timingSafeEqual(given, wanted) && Number(until) > Date.now();
    },
  };
}

function digest(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}
