import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import type { TeamToken } from "../../shared/monitor/monitor.ts";
import { MOST_DECISIONS } from "../decisions/find.ts";
import { readChoiceBody } from "../decisions/resolve.ts";
import { failing, failure, limited } from "../http-failures.ts";
import type { Answerer, Monitor } from "../monitor.ts";
import type { ChannelStatus } from "../notify/notifier.ts";
import type { Standing } from "../person/standing.ts";
import { readAsked } from "../report/ask.ts";
import type { SharingStatus } from "../team/postgres/share.ts";
import type { TeamStatus } from "../team/reporter.ts";
import { readNewToken, type Tokens } from "../team/tokens.ts";
import { onlyWithToken } from "./access.ts";

const SETTLE_MILLISECONDS = 2000;

export interface DaemonInfo {
  readonly pid: number;
  readonly version: string;
  /** Its HTTP address; empty when it has none. */
  readonly url: string;
  readonly socket: string;
  readonly started_at: string;
  /** A daemon that a call of a hook has started ends when nobody needs it. */
  readonly started_by: "call" | "command";
  /** Who is notified of decisions, as far as was needed yet, and what keeps them from working. */
  readonly channels: readonly ChannelStatus[];
  /** Why what hooks report can't be stored at the moment. */
  readonly problem?: string;
  readonly team?: TeamStatus;
  readonly database?: SharingStatus;
  /** The address at which it serves a team. */
  readonly serves?: string;
  /** True when its installation was removed or replaced: it decides no calls and is about to end. */
  readonly replaced?: boolean;
}

export interface ApiOptions {
  readonly monitor: Pick<Monitor, "agents" | "decisions" | "decisionsLike" | "resolve">;
  /** Resolves when everything that hooks have reported is stored. */
  readonly drain: () => Promise<void>;
  readonly info: () => DaemonInfo;
  readonly answerer: Answerer;
  /** Every request needs it; absent where each has shown a token of the team already. */
  readonly token?: string | undefined;
  readonly mustBePerson: PersonCheck;
  /** Whether the process at the other end may act in its user's name, for clients of the socket. */
  readonly standing?: ((socket: Socket) => Promise<Standing>) | undefined;
  /** What processes of this machine ask for that wait for the answer to what they have reported. */
  readonly waiting?: Pick<Monitor, "ask" | "messageOf" | "passMessage"> | undefined;
  /** Ends the daemon, for clients that may. */
  readonly stop?: (() => void) | undefined;
  /** The dashboard for programs, and the address of a link that logs a browser in. */
  readonly dashboard?: { readonly app: Api; readonly link: () => string } | undefined;
  /** The tokens of a team's server, for clients that may make them. */
  readonly tokens?: Pick<Tokens, "create" | "list" | "revoke"> | undefined;
  readonly onError: (error: Error) => void;
}

/** What a server knows of each request. */
export interface ApiBindings extends HttpBindings {
  /** The token of a team's server that the request has shown. */
  readonly token?: TeamToken;
  readonly isValid?: () => Promise<boolean>;
}

export type Api = Hono<{ Bindings: ApiBindings }>;
export type ApiContext = Context<{ Bindings: ApiBindings }>;

/**
 * Lets a request go on that only a person may make.
 *
 * @param what names it, at the beginning of a sentence.
 * @throws TenterhookError `not_a_person`, `not_allowed`.
 */
export type PersonCheck = (context: ApiContext, what: string) => Promise<void>;

/** The daemon's requests, on its socket, on its address and for a team. */
export function daemonApi(options: ApiOptions): Api {
  const { monitor, drain, info, answerer, token, mustBePerson, standing, stop, dashboard } = options;
  const { tokens, waiting, onError } = options;
  const api: Api = new Hono();
  if (token !== undefined) api.use(onlyWithToken(token));
  api.use(limited);
  api.get("/v1/info", (context) => context.json(info()));
  // A client sees what was reported before it asked, as whether it is an agent itself; while the database is locked, what was known before.
  let storeFailure: string | undefined;
  const settled: MiddlewareHandler = async (context, next) => {
    await Promise.race([drain(), sleep(SETTLE_MILLISECONDS, undefined, { ref: false })]);
    await next();
    if (context.error === undefined) storeFailure = undefined;
  };
  const paths = [
    "/v1/agents",
    "/v1/decisions/*",
    "/v1/standing",
    "/v1/actions/*",
    "/v1/dashboard",
    "/v1/tokens/*",
  ];
  for (const path of paths) api.use(path, settled);
  api.get("/v1/agents", async (context) => context.json({ agents: await monitor.agents() }));
  api.get("/v1/decisions", async (context) => {
    const { all, most, like } = context.req.query();
    if (like !== undefined) return context.json({ decisions: await monitor.decisionsLike(like) });
    const limit = Number(most ?? MOST_DECISIONS);
    const which = all === undefined ? "open" : "all";
    return context.json({ decisions: await monitor.decisions(which, limit > 0 ? limit : MOST_DECISIONS) });
  });
  api.post("/v1/decisions/:id/resolve", async (context) => {
    const choice = readChoiceBody(await context.req.json().catch(() => undefined));
    if (choice === undefined) return context.json(failure("usage_error", CHOICE), 400);
    await mustBePerson(context, "An answer");
    const who = { ...answerer, ...answererOf(context.env) };
    return context.json({ decision: await monitor.resolve(context.req.param("id"), choice, who) });
  });
  if (waiting !== undefined) {
    api.post("/v1/ask", async (context) => {
      const asked = readAsked(await context.req.json().catch(() => undefined));
      if (asked === undefined) return context.json(failure("usage_error", ASKED), 400);
      const gone = new AbortController();
      // The open connection is the wait.
      context.env.outgoing.once("close", () => gone.abort());
      return context.json(await waiting.ask(asked, gone.signal));
    });
    api.post("/v1/actions/:id/message", async (context) => {
      const { session_id, message }: Readonly<Record<string, unknown>> = await context.req
        .json()
        .catch(() => ({}));
      let given = await waiting.messageOf(context.req.param("id"));
      if (given === undefined) {
        if (typeof session_id !== "string" || typeof message !== "string")
          return context.json(failure("usage_error", MESSAGE), 400);
        await mustBePerson(context, "A message");
        given = { session_id, message };
      }
      return context.json({ taken: await waiting.passMessage(given) });
    });
  }
  if (standing !== undefined)
    api.post("/v1/standing", async (context) => {
      context.header("connection", "close");
      return context.json(await standing(context.env.incoming.socket));
    });
  if (dashboard !== undefined) {
    api.post("/v1/dashboard", async (context) => {
      // Who has the page can answer.
      await mustBePerson(context, "A request for a login");
      return context.json({ url: dashboard.link() });
    });
    api.route("/dashboard", dashboard.app);
  }
  if (tokens !== undefined) tokenRoutes(api, tokens, mustBePerson);
  if (stop !== undefined)
    api.post("/v1/stop", (context) => {
      stop();
      return context.json({ stopping: true });
    });
  api.notFound((context) => context.json(failure("not_found", "There is no such request."), 404));
  api.onError(
    failing(onError, (message) => {
      const isKnown = message === storeFailure;
      storeFailure = message;
      return isKnown;
    }),
  );
  return api;
}

export function answererOf({ token }: ApiBindings): { readonly by?: string } {
  return token === undefined ? {} : { by: token.name ?? token.role };
}

/** An agent that could make a token could answer what it asks itself. */
function tokenRoutes(
  api: Api,
  tokens: Pick<Tokens, "create" | "list" | "revoke">,
  mustBePerson: PersonCheck,
): void {
  api.get("/v1/tokens", async (context) => context.json({ tokens: await tokens.list() }));
  api.post("/v1/tokens", async (context) => {
    const wanted = readNewToken(await context.req.json().catch(() => undefined));
    if (wanted === undefined) return context.json(failure("usage_error", "The token can't be read."), 400);
    await mustBePerson(context, "A request for a token");
    return context.json(await tokens.create(wanted));
  });
  api.post("/v1/tokens/:id/revoke", async (context) => {
    await mustBePerson(context, "The end of a token");
    return context.json({ revoked: await tokens.revoke(context.req.param("id")) });
  });
}

const ASKED = 'The body must be { "id": "…", "key": "…", "isOver"?: true }.';
const MESSAGE = 'The body must be { "session_id": "…", "message": "…" }.';
const CHOICE = 'The body must be { "choices": ["…"], "message"?: "…", "input"?: {…}, "call"?: "…" }.';
