import { isRecord } from "../../core/base/json.ts";
import { abort, ask, type Outcome } from "../../core/events/outcomes.ts";
import { jsonKeys } from "../../shared/json-keys.ts";
import { jsonInText } from "./json-in-text.ts";
import { textIn } from "./reply-keys.ts";
import { allows, isGate, type ReplySite, refusal } from "./reply-site.ts";

interface Refusal {
  readonly key: RegExp;
  readonly value: RegExp;
  /** Key and value in text that is not JSON, with any quotes, escaped or not. */
  readonly written: RegExp;
  make(site: ReplySite, reason: string): Outcome | undefined;
}

const VERDICT = "\\w*decision|action|behaviou?r";
const FALSE = "\\\\*[\"']?false\\b";
const REFUSALS: readonly Refusal[] = [
  row(VERDICT, quoted("deny|block"), refusal),
  row("ok", FALSE, refusal),
  row(VERDICT, quoted("ask|defer"), (_, reason) => ask(reason)),
  row("continue", FALSE, (_, reason) => abort(reason)),
  // The input as it was is what the hook wanted to prevent.
  row("updatedInput", "", (site, reason) => (isGate(site) ? refusal(site, reason) : undefined)),
];

/** The levels of a reply that decide; what is deeper is data. */
const OWN_LEVELS = ["", "hookSpecificOutput", "hookSpecificOutput.decision", "decision"];

/**
 * What a reply that can't be used refuses all the same. It errs to the safe side: what looks like a refusal is one, but
 * for the data in well-formed JSON. Nothing else is ever taken from such a reply.
 */
export function refusalsIn(text: string, problem: string, site: ReplySite): readonly Outcome[] {
  const refusing = refusalForms(text, site);
  if (refusing.length === 0) return [];
  const reason = ownReason(withoutNul(text)) ?? `It refuses, though its answer is faulty: ${problem}`;
  const outcomes = refusing.flatMap(({ make }) => make(site, reason) ?? []);
  // Two forms of one refusal are one.
  return outcomes.filter(
    ({ type }, index) => allows(site, type) && outcomes.findIndex((other) => other.type === type) === index,
  );
}

export function looksRefusing(text: string, site: ReplySite): boolean {
  return refusalForms(text, site).length > 0;
}

function refusalForms(text: string, site: ReplySite): readonly Refusal[] {
  // A NUL may be inside a word or between two words.
  const readings = [...new Set([text, withoutNul(text)])].map((reading) => {
    const { objects, rest } = jsonInText(reading);
    // A gate takes no chances with JSON that has other output around it: a refusal may be in any layer of it.
    return { objects, plain: isGate(site) && rest.trim() !== "" ? reading : rest };
  });
  return REFUSALS.filter((refusing) =>
    readings.some(
      ({ objects, plain }) =>
        refusing.written.test(plain) || objects.some((object) => isIn(refusing, object)),
    ),
  );
}

function withoutNul(text: string): string {
  return text.replaceAll("\0", "");
}

function isIn({ key: named, value: says }: Refusal, object: string): boolean {
  for (const { key, path, value } of jsonKeys(object)) {
    says.lastIndex = value;
    if (OWN_LEVELS.includes(path) && named.test(key) && says.test(object)) return true;
  }
  return false;
}

/** The keys that give a reason, the first that is there counts. */
const REASONS = ["permissionDecisionReason", "reason", "stopReason", "message"];
const WRITTEN_REASON = new RegExp(
  `${quoted(REASONS.join("|"))}\\s*:\\s*(["'])(?<words>(?:\\\\.|(?!\\1)[^\\\\])+)`,
  "s",
);

/** The reason that a reply gives, however faulty the reply is. */
function ownReason(text: string): string | undefined {
  for (const object of jsonInText(text).objects) {
    const reason = reasonIn(JSON.parse(object));
    if (reason !== undefined) return reason;
  }
  const words = WRITTEN_REASON.exec(text)?.groups?.words?.trim();
  return words === "" ? undefined : words?.replaceAll(/\\(.)/gs, (_, sign) => (sign === "n" ? "\n" : sign));
}

function reasonIn(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined;
  const own = REASONS.map((key) => textIn(value, key)).find((reason) => reason !== undefined);
  return own ?? reasonIn(value.hookSpecificOutput) ?? reasonIn(value.decision);
}

function row(keys: string, value: string, make: Refusal["make"]): Refusal {
  return {
    key: new RegExp(`^(?:${keys})$`, "i"),
    value: new RegExp(value, "iy"),
    written: new RegExp(`${quoted(keys)}\\s*:\\s*${value}`, "i"),
    make,
  };
}

function quoted(words: string): string {
  return `\\\\*["'](?:${words})\\\\*["']`;
}
