import { isRecord } from "../../core/base/json.ts";
import { didYouMean } from "../../core/base/suggest.ts";
import { optionsFault, readOptions } from "../../core/contracts/questions.ts";
import { allow, ask, type Outcome, retry, rewrite } from "../../core/events/outcomes.ts";
import { checkReply, KINDS, oneOf, orNull, type ReplyKeys, type ReplyObject, textIn } from "./reply-keys.ts";
import { allowed, badOutput, type ReplySite, refusal } from "./reply-site.ts";

export const ACTION_KEYS: ReplyKeys = {
  action: oneOf("continue", "allow", "ask", "deny", "modify", "retry", "answer"),
  reason: orNull(KINDS.text),
  modified_data: orNull(KINDS.object),
  answer: KINDS.anything,
  options: orNull(KINDS.list),
};

const SAY = { allow, retry } as const;

const SHORT: Readonly<Record<string, string>> = { args: "tool_input" };

/**
 * Reads `{ "action": "continue|allow|ask|deny|modify|retry|answer", "reason", "modified_data", "answer", "options" }`.
 *
 * @throws HookFailureError `bad_output`.
 */
export function readActionReply(value: ReplyObject, site: ReplySite): readonly Outcome[] {
  checkReply(value, ACTION_KEYS, "the reply", site);
  const { action, modified_data: data } = value;
  const reason = textIn(value, "reason");
  if (action !== "ask" && Array.isArray(value.options)) throw badOutput('options belong to action: "ask".');
  if (action === "modify") return allowed(site, rewrite(modified(data, site)), 'action: "modify"');
  if (isRecord(data)) throw badOutput('modified_data belongs to action: "modify".');
  if (action === "answer" && value.answer !== undefined)
    return allowed(site, { type: "answer", answer: value.answer }, 'action: "answer"');
  if (action === "answer" || value.answer !== undefined)
    throw badOutput('action: "answer" and answer belong together.');
  switch (action) {
    case "continue":
      return [];
    case "ask":
      return allowed(site, ask(reason, optionsIn(value)), 'action: "ask"');
    case "allow":
    case "retry":
      return allowed(site, SAY[action](reason), `action: "${action}"`);
    case "deny": {
      const refused = refusal(site, reason);
      if (refused === undefined) throw badOutput(`action: "deny" means nothing on ${site.name}.`);
      return [refused];
    }
    default:
      throw badOutput(`The reply needs an action: ${ACTION_KEYS.action?.must}.`);
  }
}

function optionsIn({ options }: ReplyObject): Parameters<typeof ask>[1] {
  if (!Array.isArray(options)) return {};
  const fault = optionsFault(options);
  if (fault !== undefined) throw badOutput(`The reply asks, but ${fault}.`);
  return { options: readOptions(options) };
}

/** The new value of the event's field, or of several fields where it has several. */
function modified(data: unknown, site: ReplySite): unknown {
  const fields = site.known === undefined ? ["input"] : site.known.rewrites.map(([field]) => field);
  const names = [...fields, ...Object.keys(SHORT).filter((name) => fields.includes(SHORT[name] ?? ""))];
  const expected = `modified_data must be an object with ${names.join(" or ") || "nothing: the event can't be changed"}`;
  if (!isRecord(data) || Object.keys(data).length === 0) throw badOutput(`${expected}.`);
  const parts: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(data)) {
    if (!names.includes(name))
      throw badOutput(`${expected}, not ${JSON.stringify(name)}.${didYouMean(name, names)}`);
    const field = SHORT[name] ?? name;
    if (Object.hasOwn(parts, field)) throw badOutput(`modified_data gives ${field} twice.`);
    parts[field] = part;
  }
  return fields.length === 1 ? parts[fields[0] ?? ""] : parts;
}

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
