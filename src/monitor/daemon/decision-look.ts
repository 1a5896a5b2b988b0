import { homeFolder } from "../../node/user-folders.ts";
import { secondsOf } from "../../shared/duration.ts";
import type { HumanRequest } from "../../shared/monitor/monitor.ts";
import type { MonitorContext } from "../context.ts";
import { endOfWait } from "../decisions/elsewhere.ts";
import { choiceOf } from "../decisions/resolve.ts";
import type { Notifier } from "../notify/notifier.ts";
import type { Look } from "../tick.ts";

/** Older decisions are shown, but nobody is notified of them. */
const RECENT_MILLISECONDS = 24 * 60 * 60 * 1000;

/** How many of them are asked where answers may come from. */
const MOST_RECENT = 500;

/**
 * Looks after open decisions: somebody is notified, and those that nobody answers in time are closed. Resolves when the
 * user's channels are known, so that who starts a daemon can wait for their first word.
 */
export async function decisionLook(
  {
    store,
    monitor,
    settingsFor,
    environment,
    onError,
  }: Pick<MonitorContext, "store" | "monitor" | "settingsFor" | "environment" | "onError">,
  notifier: Notifier,
): Promise<Look> {
  /** Open decisions that were seen, with the prompt that a hook waits at and what happens when nobody answers. */
  const seen = new Map<
    string,
    { readonly prompt?: string | undefined; readonly expiry?: Expiry | undefined }
  >();
  const settingsOf = (decision: HumanRequest) => settingsFor(folderOf(decision, environment));
  const begin = async (decision: HumanRequest): Promise<void> => {
    const { decisions = {} } = await settingsOf(decision);
    if (isRecent(decision)) await notifier.plan(decision);
    const { source } = decision;
    const expiry = expiryOf(decision, source === "session" ? SESSION_SETTING : decisions[source]);
    seen.set(decision.id, { expiry, prompt: decision.prompt });
  };
  const attend = async (decision: HumanRequest): Promise<void> => {
    const known = seen.get(decision.id);
    if (known === undefined || known.prompt !== decision.prompt) await begin(decision);
    const expiry = expiryOfWait(decision) ?? seen.get(decision.id)?.expiry;
    if (expiry === undefined || Date.now() <= expiry.at) return;
    await monitor.expire(
      decision.id,
      expiry.answer === undefined ? undefined : choiceOf(decision, expiry.answer),
    );
  };
  const look: Look = async () => {
    await listening;
    const open = await store.decisions("open");
    const ids = new Set(open.map(({ id }) => id));
    for (const id of seen.keys()) if (!ids.has(id)) seen.delete(id);
    for (const decision of open) await attend(decision).catch(onError);
    await notifier.work();
    await monitor.settleAnswers();
  };
  /** Answers to what was asked before this daemon started still come, if only too late. */
  const listen = async (): Promise<void> => {
    const recent = (await store.decisions("all", MOST_RECENT)).filter(isRecent);
    const folders = new Map(recent.map((decision) => [decision.cwd, decision]));
    for (const decision of folders.values()) notifier.listen((await settingsOf(decision)).notify ?? []);
  };
  notifier.listen((await settingsFor(homeFolder(environment))).notify ?? []);
  const listening = listen().catch(onError);
  return look;
}

/** The folder whose settings say who is notified: a folder of another machine says nothing here. */
export function folderOf({ cwd, machine }: HumanRequest, environment: NodeJS.ProcessEnv): string {
  return cwd === undefined || machine !== undefined ? homeFolder(environment) : cwd;
}

/** A hook reports the end of its wait itself, unless it was killed. */
const GRACE_MILLISECONDS = 3000;

/** When the hook that waits for the answer is not there any more; `undefined` when none waits. */
function expiryOfWait(decision: HumanRequest): Expiry | undefined {
  const { prompt, at_terminal } = decision;
  return prompt === undefined || at_terminal === true
    ? undefined
    : { at: endOfWait(decision) + GRACE_MILLISECONDS };
}

/** Who still wants to act from there asks again. */
const SESSION_SETTING = { timeout: "10m" };

interface Expiry {
  readonly at: number;
  readonly answer?: string;
}

function expiryOf(
  { created_at, prompt }: HumanRequest,
  setting: { readonly timeout?: unknown; readonly default?: string } | undefined,
): Expiry | undefined {
  const seconds = secondsOf(setting?.timeout);
  if (seconds === undefined || prompt !== undefined) return undefined;
  const at = Date.parse(created_at) + seconds * 1000;
  return { at, ...(setting?.default === undefined ? {} : { answer: setting.default }) };
}

function isRecent({ created_at }: HumanRequest): boolean {
  return Date.parse(created_at) > Date.now() - RECENT_MILLISECONDS;
}
