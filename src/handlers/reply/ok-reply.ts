import type { Outcome } from "../../core/events/outcomes.ts";
import { checkReply, KINDS, orNull, type ReplyKeys, type ReplyObject, textIn } from "./reply-keys.ts";
import { badOutput, type ReplySite, refusal } from "./reply-site.ts";

/** The reply `{ ok, reason }`. */
export const OK_KEYS: ReplyKeys = { ok: KINDS.flag, reason: orNull(KINDS.text) };

/**
 * Reads `{ "ok": true | false, "reason" }`. True is no objection, which lifts nothing; false refuses.
 *
 * @throws HookFailureError `bad_output`.
 */
export function readOkReply(value: ReplyObject, site: ReplySite): readonly Outcome[] {
  checkReply(value, OK_KEYS, "the reply", site);
  if (value.ok === true) return [];
  const refused = refusal(site, textIn(value, "reason"));
  if (refused === undefined) throw badOutput(`ok: false means nothing on ${site.name}.`);
  return [refused];
}
