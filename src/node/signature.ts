import { builtin } from "./builtin.ts";

/** The header with the signature of a request or a reply. */
export const SIGNATURE_HEADER = "x-tenterhook-signature";

/** Receivers refuse what was signed longer ago; so do we. */
const OLDEST_SECONDS = 300;

/**
 * Signs a body: `t=<seconds since 1970>,v1=<hex>`, where the second part is HMAC-SHA256 of `<t>.<body>`. The receiver
 * makes the same with the shared key, compares, and refuses a time that is long past.
 */
export function signature(body: string, key: string, seconds = Math.floor(Date.now() / 1000)): string {
  const digest = builtin.crypto.createHmac("sha256", key).update(`${seconds}.${body}`).digest("hex");
  return `t=${seconds},v1=${digest}`;
}

/** True for a body that was signed with this key in the last minutes. */
export function isSigned(body: string, given: string | undefined, key: string): boolean {
  const [, time] = /^t=(\d{1,12}),v1=[0-9a-f]{64}$/.exec(given ?? "") ?? [];
  if (time === undefined || Math.abs(Date.now() / 1000 - Number(time)) > OLDEST_SECONDS) return false;
  const wanted = Buffer.from(signature(body, key, Number(time)));
  const received = Buffer.from(given ?? "");
  return wanted.length === received.length && builtin.crypto.timingSafeEqual(wanted, received);
}
