import { setTimeout as sleep } from "node:timers/promises";
import { Hono } from "hono";
import { TenterhookError } from "../../core/base/errors.ts";
import { isRecord } from "../../core/base/json.ts";
import { PACKAGE_VERSION } from "../../node/package-version.ts";
import { readEvent } from "../../shared/monitor/events.ts";
import type { MonitorStore, TeamToken } from "../../shared/monitor/monitor.ts";
import type { Api, ApiContext } from "../api/api.ts";
import type { News } from "../dashboard/news.ts";
import { failing, limited } from "../http-failures.ts";
import { inOurTime, isRecent } from "../intake/as-stored.ts";
import { takeWhatCanBe } from "../intake/take-in.ts";
import { MACHINE_HEADER, type PassedAnswers, passedAnswer } from "../team/client.ts";
import { takeReceipts } from "../team/receipts.ts";
import { otherMachine, TOKEN_NAME, type Tokens } from "../team/tokens.ts";

/** How long a machine may wait for an answer in one request. */
const MOST_WAIT_SECONDS = 30;
const MACHINE_ID = /^[\w-]{8,64}$/;
const LONGEST_AGENT_ID = 200;

interface Options {
  readonly store: MonitorStore;
  readonly tokens: Tokens;
  readonly news: News;
  readonly onError: (error: unknown) => void;
  /** Called with the name of each machine that sends a request. */
  readonly onHeard: (machine: string) => void;
  /** Aborted when the daemon ends. */
  readonly signal: AbortSignal;
}

/** What the machines of a team ask for: each sends its own events and fetches the answers to its own questions. */
export function reportRoutes({ store, tokens, news, onError, onHeard, signal }: Options): Api {
  const routes: Api = new Hono();
  const { answered, untilAnswered } = answersOf(store, news);
  const machineOf = (context: ApiContext): string => {
    const machine = ownMachine(context);
    onHeard(machine);
    return machine;
  };
  routes.onError(failing(onError));
  routes.use(limited);
  routes.get("/v1/team", (context) => {
    const { role, name, machine, expires_at } = tokenIn(context);
    return context.json({ role, name, machine: machine?.name, expires_at, version: PACKAGE_VERSION });
  });
  routes.post("/v1/team/join", async (context) => {
    const { name, id } = await bodyOf(context);
    if (typeof name !== "string" || !TOKEN_NAME.test(name) || typeof id !== "string" || !MACHINE_ID.test(id))
      throw new TenterhookError("usage_error", "A machine's name has letters, digits, dots and dashes.");
    return context.json({ machine: await tokens.join(tokenIn(context), { name, id }) });
  });
  routes.post("/v1/team/events", async (context) => {
    const machine = machineOf(context);
    const { events } = await bodyOf(context);
    if (!Array.isArray(events)) throw new TenterhookError("usage_error", "The events can't be read.");
    const known = events
      .flatMap((event) => readEvent(event) ?? [])
      .filter(({ agent_id }) => agent_id.length <= LONGEST_AGENT_ID)
      .map((event) => inOurTime(event, Date.now()))
      .filter(isRecent);
    await takeWhatCanBe(store, known, { machine, onError });
    return context.json({});
  });
  routes.get("/v1/team/answers", async (context) => {
    const machine = machineOf(context);
    const seconds = Math.min(Number(context.req.query("wait")) || 0, MOST_WAIT_SECONDS);
    const ends = AbortSignal.any([signal, context.req.raw.signal]);
    await untilAnswered(machine, seconds * 1000, ends);
    // It may have been revoked meanwhile.
    if (!(await tokens.isValid(tokenIn(context))))
      throw new TenterhookError("not_allowed", "The token was revoked.");
    const open = (await store.decisions("open")).filter((one) => one.machine === machine);
    const reply: PassedAnswers = { answers: await answered(machine), open: open.map(({ id }) => id) };
    return context.json(reply);
  });
  routes.post("/v1/team/receipts", async (context) => {
    const machine = machineOf(context);
    const { receipts } = await bodyOf(context);
    await takeReceipts(store, machine, Array.isArray(receipts) ? receipts : []);
    return context.json({});
  });
  return routes;
}

function tokenIn({ env: { token } }: ApiContext): TeamToken {
  if (token === undefined) throw new TenterhookError("not_allowed", "The token is missing.");
  return token;
}

/** The machine of a token, whatever the request says. @throws TenterhookError `not_allowed` for another machine's token. */
function ownMachine(context: ApiContext): string {
  const { machine } = tokenIn(context);
  if (machine === undefined || context.req.header(MACHINE_HEADER) !== machine.id) throw otherMachine();
  return machine.name;
}

async function bodyOf(context: ApiContext): Promise<Readonly<Record<string, unknown>>> {
  const body: unknown = await context.req.json().catch(() => undefined);
  return isRecord(body) ? body : {};
}

function answersOf(store: MonitorStore, news: News) {
  const waiting = new Map<string, Set<() => void>>();
  // One look for all machines, however many wait.
  news.listen(() => {
    if (waiting.size === 0) return;
    store.answered().then(
      (decisions) => {
        for (const { machine = "" } of decisions) for (const wake of waiting.get(machine) ?? []) wake();
      },
      () => undefined,
    );
  });
  const answered = async (machine: string): Promise<PassedAnswers["answers"]> =>
    (await store.answered())
      .filter((one) => one.machine === machine)
      .flatMap((one) => passedAnswer(one) ?? []);
  /** Resolves when there is an answer for a machine, or after this time. */
  const untilAnswered = async (machine: string, milliseconds: number, signal: AbortSignal): Promise<void> => {
    const woken = new AbortController();
    const wake = (): void => woken.abort();
    const ofMachine = waiting.get(machine) ?? new Set();
    waiting.set(machine, ofMachine.add(wake));
    try {
      if ((await answered(machine)).length > 0) return;
      const ends = AbortSignal.any([signal, woken.signal]);
      await sleep(milliseconds, undefined, { signal: ends }).catch(() => undefined);
    } finally {
      ofMachine.delete(wake);
      if (ofMachine.size === 0) waiting.delete(machine);
    }
  };
  return { answered, untilAnswered };
}
