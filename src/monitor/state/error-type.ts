import { isRecord, parseJson } from "../../core/base/json.ts";
import type { ErrorType } from "../../shared/monitor/triggers.ts";

export interface ReportedError {
  readonly status?: unknown;
  /** The provider's or the agent's own name of the error. */
  readonly type?: unknown;
  readonly message?: unknown;
}

/**
 * The kind of an error. The provider's own type counts first, since some send a used up quota with the status of a rate
 * limit; then the status; words of the message only where neither says anything.
 */
export function errorTypeOf({ status, type, message }: ReportedError): ErrorType {
  const text = [type, message].filter((one) => typeof one === "string").join(" ");
  const { code, type: name, status: number } = bodyIn(text);
  // OpenAI's code says more than its type; Google's code is the status.
  const body = [code, name, number];
  const named = [type, ...body].map(byName).find((kind) => kind !== undefined);
  if (named !== undefined) return named;
  const known = [status, ...body, statusIn(text)].map(byStatus).find((kind) => kind !== undefined);
  return known ?? WORDS.find(([, pattern]) => pattern.test(text))?.[0] ?? "other";
}

/** An error's message for people: what the body of a provider's reply says in words, in place of the body. */
export function readableMessage(message: string): string {
  const { message: said } = bodyIn(message);
  return typeof said === "string" && said !== "" ? said : message;
}

/** Names that say what is wrong, without `_error`. `invalid_request` says nothing: a used up balance has it, too. */
const NAMES: Readonly<Record<string, ErrorType>> = {
  ...namesOf(
    "unauthorized",
    "authentication authentication_failed unauthorized unauthenticated permission permission_denied forbidden",
  ),
  ...namesOf("unauthorized", "invalid_api_key oauth_org_not_allowed token_expired token_revoked"),
  ...namesOf("out_of_credits", "billing billing_not_active billing_hard_limit_reached insufficient_quota"),
  ...namesOf("out_of_credits", "out_of_credits payment_required insufficient_credits quota_exceeded"),
  ...namesOf("rate_limited", "rate_limit rate_limited rate_limit_exceeded too_many_requests slow_down"),
  ...namesOf("rate_limited", "overloaded server_overloaded server_is_overloaded resource_exhausted"),
  ...namesOf("rate_limited", "usage_limit_reached usage_limit_exceeded"),
  ...namesOf("no_internet", "network no_internet connection api_connection stream_cut"),
  ...namesOf("no_internet", "http_connection_failed response_stream_connection_failed"),
  ...namesOf("no_internet", "response_stream_disconnected"),
};

function namesOf(kind: ErrorType, names: string): Readonly<Record<string, ErrorType>> {
  return Object.fromEntries(names.split(" ").map((name) => [name, kind]));
}

/** `RateLimitError`, `rate_limit_error` and `rate-limit` are one name. */
function byName(value: unknown): ErrorType | undefined {
  const name = (typeof value === "string" ? value.trim() : "")
    .replaceAll(/([a-z])([A-Z])/g, "$1_$2")
    .replaceAll(/[\s-]+/g, "_")
    .toLowerCase()
    .replace(/_error$/, "");
  return Object.hasOwn(NAMES, name) ? NAMES[name] : undefined;
}

const STATUSES: ReadonlyMap<number, ErrorType> = new Map([
  [401, "unauthorized"],
  [402, "out_of_credits"],
  [403, "unauthorized"],
  [429, "rate_limited"],
  [503, "rate_limited"],
  [529, "rate_limited"],
]);

function byStatus(value: unknown): ErrorType | undefined {
  return typeof value === "number" ? STATUSES.get(value) : undefined;
}

/** The error in the body of a provider's reply, which agents put into their messages. */
function bodyIn(text: string): Readonly<Record<string, unknown>> {
  const begin = text.indexOf("{");
  const parsed = begin < 0 ? undefined : parseJson(text.slice(begin, text.lastIndexOf("}") + 1));
  if (!isRecord(parsed)) return {};
  return isRecord(parsed.error) ? parsed.error : parsed;
}

/** `API Error: 429 …`, `HTTP 529`, `unexpected status 402 Payment Required`, `status code: 401`. */
const STATUS = /(?:^|\b(?:error|http|status)(?: code)?[:= ]+)\(?([45]\d\d)\b/i;

function statusIn(text: string): number | undefined {
  const [, found] = STATUS.exec(text) ?? [];
  return found === undefined ? undefined : Number(found);
}

/** Whole phrases, for messages without a status and a type. Providers speak of payment where they limit the rate. */
const WORDS: readonly (readonly [kind: ErrorType, pattern: RegExp])[] = [
  [
    "no_internet",
    /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ECONNABORTED|ETIMEDOUT|EPIPE|ENETUNREACH|EHOSTUNREACH|UND_ERR_\w+)\b/,
  ],
  ["rate_limited", /\b(?:rate|usage)[ -]limit(?:s|ed)?\b|\btoo many requests\b|\boverloaded\b/i],
  [
    "out_of_credits",
    /\bcredit balance\b|\bcurrent quota\b|\binsufficient (?:quota|credits?|funds|balance)\b|\bout of credits?\b|\bpayment required\b/i,
  ],
  [
    "unauthorized",
    /\bunauthori[sz]ed\b|\b(?:invalid|incorrect|missing) (?:x-)?api[ -]key\b|\bapi key not valid\b|\bauthentication (?:failed|error|required)\b|\bplease run \/login\b|\bforbidden\b/i,
  ],
  [
    "no_internet",
    /\b(?:connection|network) (?:error|refused|reset|lost|closed|failed|timed out)\b|\bfetch failed\b|\bunable to connect\b|\bstream disconnected\b|\bno internet\b|\berror sending request\b/i,
  ],
];
