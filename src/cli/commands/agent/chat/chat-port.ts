import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { forkAt } from "../../../../agent/conversation/stored-transcript.ts";
import type { Agent, AgentItem } from "../../../../agent.ts";
import type { Transcript, TranscriptStore } from "../../../../core/contracts/transcript.ts";
import type {
  ChatHost,
  ChatPort,
  ChatSession,
  Compacted,
  EarlierMessage,
  HookSwitch,
  Opening,
} from "../../../../terminal/chat/port.ts";
import type { Invocation } from "../../../command-line/command.ts";
import { shortPath } from "../../../command-line/screen/text.ts";
import type { Place } from "../../../configured-hooks/load-hooks.ts";
import { setEnabled } from "../../../configured-hooks/set-enabled.ts";
import { setShadow } from "../../../configured-hooks/set-shadow.ts";
import { type AgentPlan, type OpenedAgent, openAgent } from "../run/open-agent.ts";
import { consented, plan } from "../run.ts";
import { findSession } from "../sessions/session-store.ts";
import { typedHistory } from "./typed-history.ts";

const MOST_NAMES = 50;
const MOST_SESSIONS = 50;
/** Messages of an earlier session that are shown again. */
const MOST_EARLIER = 20;

/** Our agent for the chat: it is opened with the options of the command line. */
export function chatPort(invocation: Invocation, store: TranscriptStore): ChatPort {
  const { environment, signal } = invocation;
  const { folder } = plan(invocation, undefined);
  const history = typedHistory(environment);
  let current: OpenedAgent | undefined;
  return {
    folder,
    now: () => Date.now(),
    history: history.entries,
    remember: history.add,
    async open(opening, host) {
      const resumed = await transcriptOf(opening, store, signal);
      current = await opened(invocation, store, { resumed, opening, host });
      return sessionOf(current, resumed, host);
    },
    async sessions() {
      const { transcripts } = await store.list({ limit: MOST_SESSIONS, cwd: folder, signal });
      return transcripts
        .filter(({ parent_agent_id }) => parent_agent_id === undefined)
        .map(({ agent_id, updated_at, title = "" }) => ({ id: agent_id, updated_at, title }));
    },
    async hooks() {
      await current?.refresh();
      const untrusted = new Set(current?.config.trust.untrusted.map(({ name }) => name));
      return (current?.hooks.list() ?? []).map(({ name, enabled, mode, events }) => ({
        name,
        state: untrusted.has(name) ? "not trusted" : !enabled ? "off" : mode === "shadow" ? "shadow" : "on",
        events: events.join(", "),
      }));
    },
    async switchHook(name, to) {
      const said = await switched(name, to, { cwd: folder, environment, signal });
      await current?.refresh();
      return said;
    },
    files: (begin) => namesLike(folder, begin),
  };
}

async function switched(name: string, to: HookSwitch, place: Place): Promise<string> {
  if (to === "shadow") {
    const { name: found, file } = await setShadow(name, place);
    if (file === undefined) return `${found} is in shadow mode already.`;
    return `${found} only watches from now on: mode: shadow in ${shortPath(file, place.cwd)}.`;
  }
  const state = to === "enable" ? "on" : "off";
  const { name: found, changed } = await setEnabled({ ...place, name, enabled: to === "enable" });
  if (changed.length === 0) return `${found} is ${state} already.`;
  const files = changed.map((file) => shortPath(file, place.cwd)).join(", ");
  return `${found} is ${state}: changed hooks.disabled of ${files}.`;
}

async function transcriptOf(
  opening: Opening,
  store: TranscriptStore,
  signal: AbortSignal,
): Promise<Transcript | undefined> {
  if (opening.type === "new") return undefined;
  const found = await findSession(store, opening.id, { signal });
  if (opening.type === "resume") return found;
  const id = await forkAt(store, found.metadata.agent_id, opening.turn, { signal });
  return findSession(store, id, { signal });
}

async function opened(
  invocation: Invocation,
  store: TranscriptStore,
  { resumed, opening, host }: { resumed: Transcript | undefined; opening: Opening; host: ChatHost },
): Promise<OpenedAgent> {
  const { approval, askUser, report } = host;
  const planned = await consented(plan(invocation, resumed), { approval, askUser }, invocation, report);
  const from: Pick<AgentPlan, "resume" | "source"> = {
    resume: resumed,
    ...(opening.type === "fork" ? { source: "fork" } : {}),
  };
  return openAgent({ ...planned, ...from, store, report });
}

function sessionOf(opened: OpenedAgent, resumed: Transcript | undefined, host: ChatHost): ChatSession {
  const { agent, hooks, model, mode, close, answer_time } = opened;
  const { onItem } = host;
  let compacting: AbortController | undefined;
  return {
    agent_id: agent.agent_id,
    model,
    mode,
    answer_time,
    hookCount: () => {
      const { agent_hooks, trust } = opened.config;
      const untrusted = new Set(trust.untrusted.map(({ name }) => name));
      const inForce = hooks.list().filter(({ enabled, name }) => enabled && !untrusted.has(name));
      return Object.keys(agent_hooks?.hooks ?? {}).length + inForce.length;
    },
    earlier: resumed === undefined ? [] : earlierOf(agent),
    unfinished: agent.unfinished,
    run: (text) => (text === undefined ? agent.continue({ onItem }) : agent.run(text, { onItem })),
    steer: (text) => agent.steer(text),
    interrupt: () => {
      compacting?.abort();
      agent.interrupt();
    },
    compact: () => {
      compacting = new AbortController();
      return compacted(agent, host, compacting.signal);
    },
    switchModel: (name) => agent.switchModel(name),
    close: () => close("exit"),
  };
}

/** Why nothing was summed up is shown as it happens: a hook that refuses, a model that fails. */
async function compacted(
  agent: Agent,
  { onItem, report }: ChatHost,
  signal: AbortSignal,
): Promise<Compacted> {
  let isTold = false;
  const tell = (item: AgentItem): void => {
    isTold ||= item.type === "notice" || (item.type === "hook_end" && item.run.outcome?.action === "deny");
    onItem(item);
  };
  try {
    if (await agent.compact({ signal, onItem: tell })) return "done";
  } catch (error) {
    if (!signal.aborted) throw error;
    report("Interrupted.");
    isTold = true;
  }
  return isTold ? "stopped" : "too little";
}

function earlierOf(agent: Agent): readonly EarlierMessage[] {
  const said = agent.transcript().flatMap((message): readonly EarlierMessage[] => {
    if (message.role !== "assistant" && (message.role !== "user" || message.source === "hook")) return [];
    const text = message.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
    return text === "" ? [] : [{ role: message.role, text }];
  });
  return said.slice(-MOST_EARLIER);
}

/** Files and folders below the working folder whose paths begin like this. */
async function namesLike(folder: string, begin: string): Promise<readonly string[]> {
  const at = begin.lastIndexOf("/") + 1;
  const [place, start] = [begin.slice(0, at), begin.slice(at).toLowerCase()];
  const entries = await readdir(join(folder, place), { withFileTypes: true });
  return entries
    .filter(({ name }) => name.toLowerCase().startsWith(start) && (start !== "" || !name.startsWith(".")))
    .sort(
      (one, other) =>
        Number(other.isDirectory()) - Number(one.isDirectory()) || (one.name < other.name ? -1 : 1),
    )
    .slice(0, MOST_NAMES)
    .map((entry) => `${place}${entry.name}${entry.isDirectory() ? "/" : ""}`);
}
