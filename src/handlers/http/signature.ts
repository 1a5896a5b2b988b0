import { createHmac } from "node:crypto";

/** The header that carries a signature. */
export const SIGNATURE_HEADER = "X-Tenterhook-Signature";

/**
 * Signs a request: `t=<seconds since 1970>,v1=<hex>`, where the second part is HMAC-SHA256 of `<t>.<body>`. A server
 * makes the same with the shared key, compares, and refuses a time that is long past.
 */
export function signature(body: string, key: string, seconds: number): string {
  const digest = createHmac("sha256", key).update(`${seconds}.${body}`).digest("hex");
  return `t=${seconds},v1=${digest}`;
}
