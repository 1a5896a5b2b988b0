import type { Adapter, DecodedEvent } from "../adapters/adapter.ts";
import { isRecord } from "../core/base/json.ts";
import { capText } from "../core/base/text.ts";
import type { Decision } from "../core/decide/decision.ts";
import type { ContextItem, UserMessage } from "../core/events/outcomes.ts";
import { builtin } from "../node/builtin.ts";
import { quickFileName } from "../node/files/file-name.ts";
import { makePrivateFolder, tidy } from "../node/files/folders.ts";
import { stateFolder } from "../node/user-folders.ts";

/*
 * What hooks in the background returned, in files until an event of the session can take it, wherever
 * that is decided.
 */

/** What a hook in the background returned. */
export interface PendingContext {
  readonly hook: string;
  readonly context: readonly string[];
  readonly user_messages: readonly string[];
}

/** In characters; longer text is shortened. */
const LONGEST = 10_000;
const SUFFIX = ".json";
const TIDIED = { milliseconds: 24 * 60 * 60 * 1000, bytes: 10_000_000 };

/** Stores what a hook returned for the session's next event that can take it. */
export function storePending(
  session_id: string,
  pending: PendingContext,
  environment: NodeJS.ProcessEnv,
): void {
  const folder = pendingFolder(environment);
  const capped = (texts: readonly string[]) => texts.map((text) => capText(text, LONGEST));
  const { hook, context, user_messages } = pending;
  if (context.length + user_messages.length === 0) return;
  const text = JSON.stringify({ hook, context: capped(context), user_messages: capped(user_messages) });
  const name = `${quickFileName(session_id)}.${Date.now()}-${builtin.crypto.randomBytes(6).toString("hex")}`;
  const file = builtin.path.join(folder, `${name}${SUFFIX}`);
  makePrivateFolder(folder);
  tidy(folder, TIDIED);
  builtin.fs.writeFileSync(`${file}.new`, text, { mode: 0o600, flag: "wx" });
  builtin.fs.renameSync(`${file}.new`, file);
}

/** Adds to a decision what was stored for the session, if the agent can take it with this event. Never throws. */
export function withPending(
  decision: Decision,
  event: DecodedEvent,
  adapter: Adapter,
  environment: NodeJS.ProcessEnv,
): Decision {
  const folder = pendingFolder(environment);
  if (!builtin.fs.existsSync(folder) || !adapter.takesContext(event)) return decision;
  // What is refused has no place for it.
  if (decision.action === "deny" || decision.abort !== undefined) return decision;
  const taken = filesOf(event.session_id, folder).flatMap((file) => take(file) ?? []);
  if (taken.length === 0) return decision;
  return {
    ...decision,
    context: [...decision.context, ...taken.flatMap(contextItems)],
    user_messages: [...decision.user_messages, ...taken.flatMap(messages)],
  };
}

function pendingFolder(environment: NodeJS.ProcessEnv): string {
  return builtin.path.join(stateFolder(environment), "pending");
}

function filesOf(session_id: string, folder: string): readonly string[] {
  const start = `${quickFileName(session_id)}.`;
  try {
    const names = builtin.fs.readdirSync(folder).filter((name) => name.startsWith(start));
    return names
      .filter((name) => name.endsWith(SUFFIX))
      .sort()
      .map((name) => builtin.path.join(folder, name));
  } catch {
    return [];
  }
}

/** Reads a file. Only the process that can remove it has it. */
function take(file: string): PendingContext | undefined {
  try {
    const pending: unknown = JSON.parse(builtin.fs.readFileSync(file, "utf8"));
    builtin.fs.unlinkSync(file);
    if (!isRecord(pending)) return undefined;
    return {
      hook: String(pending.hook),
      context: texts(pending.context),
      user_messages: texts(pending.user_messages),
    };
  } catch {
    return undefined;
  }
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((text): text is string => typeof text === "string") : [];
}

function contextItems({ hook, context }: PendingContext): readonly ContextItem[] {
  return context.map((text) => ({ text, hook, role: "user", lifetime: "turn", recorded: true }));
}

function messages({ hook, user_messages }: PendingContext): readonly UserMessage[] {
  return user_messages.map((text) => ({ text, level: "info", hook }));
}
