import { isRecord } from "../../core/base/json.ts";
import { capText } from "../../core/base/text.ts";
import {
  abort,
  allow,
  ask,
  context,
  deny,
  keepGoing,
  type NativeKeys,
  native,
  type Outcome,
  rewrite,
  userMessage,
} from "../../core/events/outcomes.ts";
import { PASSED_ON } from "../../shared/contracts/passed-on.ts";
import { NOT_AT_THE_TOP, NOT_IN_SPECIFIC, PERMISSION_KEYS, SPECIFIC_KEYS, TOP_KEYS } from "./claude-keys.ts";
import { checkReply, type ReplyKeys, type ReplyObject, shown, textIn } from "./reply-keys.ts";
import { allowed, allows, badOutput, eventNames, type ReplySite, refusal } from "./reply-site.ts";

const SAY = { allow, ask, deny } as const;
/** Claude Code defers the call until somebody decides; elsewhere a human is asked immediately. */
const PERMISSION = { ...SAY, defer: ask } as const;
const SPECIFIC = "hookSpecificOutput";

/**
 * Reads Claude Code's reply: `{ continue, stopReason, systemMessage, decision, reason, hookSpecificOutput }`.
 *
 * @throws HookFailureError `bad_output`.
 */
export function readClaudeReply(value: ReplyObject, site: ReplySite): readonly Outcome[] {
  const others = [...checkReply(value, TOP_KEYS, "the reply", site, NOT_AT_THE_TOP)];
  const specific = isRecord(value[SPECIFIC]) ? value[SPECIFIC] : undefined;
  if (specific !== undefined) others.push(...checkSpecific(specific, site));
  const message = textIn(value, "systemMessage");
  const outcomes = [
    ...readContinue(value, site),
    ...(message === undefined ? [] : [userMessage(message)]),
    ...readDecision(value, site),
    ...(specific === undefined ? [] : readSpecific(specific, site)),
    ...passedOn(value, TOP_KEYS, site, (keys) => keys),
  ];
  const verdicts = new Set(outcomes.map(({ type }) => type).filter((type) => Object.hasOwn(SAY, type)));
  if (verdicts.size > 0 || outcomes.some(({ type }) => type === "rewrite"))
    outcomes.push(...unknownKeys(others));
  if (verdicts.size > 1 && !site.lenient)
    throw badOutput(`decision and hookSpecificOutput contradict each other: ${[...verdicts].join(" and ")}.`);
  return outcomes;
}

/** Tells the user which keys were left out. */
function unknownKeys(keys: readonly string[]): readonly Outcome[] {
  if (keys.length === 0) return [];
  const names = capText(keys.join(", "), 200);
  return [userMessage(`The reply has keys that mean nothing here: ${names}.`, "warning")];
}

function checkSpecific(specific: ReplyObject, site: ReplySite): readonly string[] {
  const names = eventNames(site);
  const { hookEventName } = specific;
  if (hookEventName === undefined)
    throw badOutput(`${SPECIFIC} needs hookEventName: ${JSON.stringify(site.name)}.`);
  if (typeof hookEventName !== "string" || !names.includes(hookEventName)) {
    throw badOutput(
      `hookEventName is ${shown(hookEventName)}, but the event is ${names.map((name) => JSON.stringify(name)).join(" or ")}.`,
    );
  }
  return checkReply(specific, SPECIFIC_KEYS, SPECIFIC, site, NOT_IN_SPECIFIC);
}

function readContinue(value: ReplyObject, site: ReplySite): readonly Outcome[] {
  if (value.continue === false) return allowed(site, abort(textIn(value, "stopReason")), "continue: false");
  if (value.continue === undefined && value.stopReason !== undefined && !site.lenient)
    throw badOutput("stopReason says why continue is false, but there is no continue.");
  return [];
}

/** The older form, still used for everything but tool calls. Where nothing can be allowed, an approval is no opinion. */
function readDecision(value: ReplyObject, site: ReplySite): readonly Outcome[] {
  const reason = textIn(value, "reason");
  if (value.decision === undefined && value.reason !== undefined && !site.lenient)
    throw badOutput('reason needs a decision, and the reply has none. Expected decision: "block".');
  if (value.decision === "approve") return allows(site, "allow") ? [allow(reason)] : [];
  if (value.decision === undefined) return [];
  const refused = refusal(site, reason);
  if (refused !== undefined) return [refused];
  if (site.lenient) return [];
  throw badOutput(`decision: "block" means nothing on ${site.name}.`);
}

function readSpecific(specific: ReplyObject, site: ReplySite): readonly Outcome[] {
  return [
    ...readPermission(specific, site),
    ...readRewrite(specific, "updatedInput", site),
    ...readPermissionRequest(specific.decision, site),
    ...readOutput(specific, site),
    ...readRewrite(specific, "displayContent", site),
    ...readAnswer(specific, site),
    ...readContext(specific, site),
    ...passedOn(specific, SPECIFIC_KEYS, site, (keys) => ({ [SPECIFIC]: keys })),
  ];
}

function readPermission(specific: ReplyObject, site: ReplySite): readonly Outcome[] {
  const { permissionDecision: verdict } = specific;
  if (verdict === "allow" || verdict === "ask" || verdict === "deny" || verdict === "defer") {
    // As with an approval: what can't be allowed anyway is not objected to.
    if (verdict === "allow" && !allows(site, "allow")) return [];
    const reason = textIn(specific, "permissionDecisionReason");
    const outcomes = allowed(site, PERMISSION[verdict](reason), `permissionDecision: "${verdict}"`);
    return verdict === "defer" && isClaude(site)
      ? [...outcomes, native({ [SPECIFIC]: { permissionDecision: verdict } })]
      : outcomes;
  }
  if (specific.permissionDecisionReason !== undefined && !site.lenient)
    throw badOutput("permissionDecisionReason needs a permissionDecision, and the reply has none.");
  return [];
}

function readPermissionRequest(decision: unknown, site: ReplySite): readonly Outcome[] {
  if (!isRecord(decision)) return [];
  const { behavior } = decision;
  if (behavior !== "allow" && behavior !== "deny")
    throw badOutput(`behavior in decision must be "allow" or "deny", not ${shown(behavior)}.`);
  const keys = PERMISSION_KEYS[behavior];
  const other = PERMISSION_KEYS[behavior === "allow" ? "deny" : "allow"];
  const elsewhere = Object.fromEntries(
    Object.keys(other)
      .filter((key) => !Object.hasOwn(keys, key))
      .map((key) => [key, `it is not for behavior ${JSON.stringify(behavior)}`]),
  );
  const others = checkReply(decision, keys, "decision", site, elsewhere);
  const message = textIn(decision, "message");
  return [
    ...allowed(site, SAY[behavior](message), `behavior: "${behavior}"`),
    ...(decision.interrupt === true ? allowed(site, abort(message), "interrupt") : []),
    ...(behavior === "allow" ? readRewrite(decision, "updatedInput", site) : []),
    ...passedOn(decision, keys, site, (given) => ({ [SPECIFIC]: { decision: given } })),
    ...unknownKeys(others),
  ];
}

function readOutput(specific: ReplyObject, site: ReplySite): readonly Outcome[] {
  if ("updatedToolOutput" in specific && "updatedMCPToolOutput" in specific)
    throw badOutput("updatedToolOutput and updatedMCPToolOutput say the same; give one of them.");
  return [
    ...readRewrite(specific, "updatedToolOutput", site),
    ...readRewrite(specific, "updatedMCPToolOutput", site),
  ];
}

/** The answer to an elicitation, or the path of a worktree. */
function readAnswer(specific: ReplyObject, site: ReplySite): readonly Outcome[] {
  const { action, content, worktreePath } = specific;
  if (action === undefined && content !== undefined && !site.lenient)
    throw badOutput("content needs an action, and the reply has none.");
  const filled = action === undefined ? [] : [{ action, content }];
  const path = worktreePath === undefined ? [] : [worktreePath];
  const by = action === undefined ? "worktreePath" : "action";
  return [...filled, ...path].flatMap((value) => allowed(site, { type: "answer", answer: value }, by));
}

function readRewrite(value: ReplyObject, key: string, site: ReplySite): readonly Outcome[] {
  return value[key] === undefined ? [] : allowed(site, rewrite(value[key]), key);
}

/** Context for the model. Where the agent is about to stop, it has to continue to read it. */
function readContext(specific: ReplyObject, site: ReplySite): readonly Outcome[] {
  const text = textIn(specific, "additionalContext");
  if (text === undefined) return [];
  const goOn = !allows(site, "context") && allows(site, "keep_going");
  return allowed(site, goOn ? keepGoing(text) : context(text), "additionalContext");
}

/** Keys that only Claude Code understands: handed on to it, in their place in the reply; elsewhere the user is notified. */
function passedOn(
  value: ReplyObject,
  keys: ReplyKeys,
  site: ReplySite,
  placed: (keys: NativeKeys) => NativeKeys,
): readonly Outcome[] {
  const given = Object.entries(value).filter(
    ([key]) => PASSED_ON.has(key) && keys[key]?.on?.includes(site.name) !== false,
  );
  if (given.length === 0) return [];
  if (isClaude(site)) return [native(placed(Object.fromEntries(given)))];
  return given.map(([key]) =>
    userMessage(`The reply gives ${key}, which is not carried out here.`, "warning"),
  );
}

function isClaude({ event }: ReplySite): boolean {
  return event.host === "claude";
}
