import { type Context, Hono, type MiddlewareHandler } from "hono";
import { type ErrorCode, isTenterhookError, TenterhookError } from "../../core/base/errors.ts";
import { isRecord } from "../../core/base/json.ts";
import type { HumanRequest } from "../../shared/monitor/monitor.ts";
import type { Receipt } from "../../shared/monitor/receipt.ts";
import { type Api, type ApiBindings, answererOf, type PersonCheck } from "../api/api.ts";
import { receiptOf } from "../decisions/receipt.ts";
import { type Choice, readChoiceBody } from "../decisions/resolve.ts";
import { failing, failure, limited } from "../http-failures.ts";
import { accessOf } from "./access.ts";
import { asset, type Login, page, SAFE_HEADERS } from "./assets.ts";
import type { Control } from "./control.ts";
import { BASE_HEADER } from "./handler.ts";
import type { Logins } from "./login.ts";
import type { News } from "./news.ts";
import { newsStream } from "./news-stream.ts";
import type { Policy } from "./policy.ts";
import { activityWords, callQuery, LONGEST_DAYS, type Reader } from "./read.ts";
import type { HookEdit, Overview } from "./wire.ts";

export interface DashboardOptions {
  readonly reader: Reader;
  readonly news: News;
  readonly resolve: (id: string, choice: Choice, who: { readonly by?: string }) => Promise<HumanRequest>;
  readonly control: Control;
  readonly policy?: Policy | undefined;
  readonly environment: NodeJS.ProcessEnv;
  readonly mustBePerson: PersonCheck;
  readonly login: Login;
  /** Absent where every request has shown a token already. */
  readonly logins?: Logins;
  readonly onError: (error: unknown) => void;
  /** Aborted when the daemon ends. */
  readonly signal: AbortSignal;
}

/** The page's own files. They contain nothing of anybody, so they need no login. */
export const PAGE_PATHS: readonly string[] = [
  ...["/", "/inbox", "/sessions/*", "/activity", "/hooks", "/replay"],
  ...["/assets/*", "/favicon.svg"],
];

/** The page and what it asks for. */
export function dashboardApp(options: DashboardOptions): Api {
  const { login, logins, news, signal } = options;
  const app: Api = new Hono();
  app.onError(failing(options.onError));
  app.notFound((context) => context.json(failure("not_found", "There is no such page."), 404));
  for (const path of PAGE_PATHS)
    app.get(path, (context) => {
      const [, name] = /^(?:\/dashboard)?\/(assets\/.*|favicon\.svg)$/.exec(context.req.path) ?? [];
      const base = login === "none" ? context.req.header(BASE_HEADER) : undefined;
      if (name === undefined) return page(base ?? "/", login);
      return asset(name) ?? context.notFound();
    });
  app.use(limited);
  app.use("/api/*", async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(SAFE_HEADERS)) context.header(name, value);
    context.header("cache-control", "no-store");
  });
  if (logins !== undefined) {
    app.post("/api/login", async (context) => {
      const body = await bodyOf(context);
      const code = isRecord(body) && typeof body.code === "string" ? body.code : "";
      return context.json({ token: await logins.exchange(code) });
    });
    // For a page that has lost its daemon: another program may listen there now, and pass on to the daemon what it is asked.
    app.get("/api/proof", async (context) => {
      const { id = "", challenge = "" } = context.req.query();
      const proof = await logins.proof(id, `${challenge} ${context.req.header("host")}`);
      return proof === undefined ? context.json(loggedOut(), 401) : context.json({ proof });
    });
    app.use(onlyLoggedIn(logins));
  }
  app.get("/api/news", (context) => {
    const ends = AbortSignal.any([signal, context.req.raw.signal]);
    // The token of a request may end meanwhile.
    const { isValid = async () => logins?.isLoggedIn(tokenIn(context)) ?? true } = context.env;
    return newsStream(
      context,
      async () => ((await isValid()) ? overviewFor(context.env, options) : undefined),
      news,
      ends,
    );
  });
  readRoutes(app, options);
  controlRoutes(app, options);
  policyRoutes(app, options);
  return app;
}

/** Lets requests of a page through that has logged in. */
function onlyLoggedIn(logins: Logins): MiddlewareHandler {
  return async (context, next) => {
    if (await logins.isLoggedIn(tokenIn(context))) return next();
    return context.json(loggedOut(), 401);
  };
}

function loggedOut() {
  return failure("not_allowed", "Log in first: run tenterhook dashboard.");
}

/** The token that a request shows; empty when it shows none. */
export function tokenIn({ req }: Context): string {
  return /^Bearer (\S{1,200})$/.exec(req.header("authorization") ?? "")?.[1] ?? "";
}

async function overviewFor(bindings: ApiBindings, { reader }: DashboardOptions): Promise<Overview> {
  return { ...(await reader.overview()), ...accessOf(bindings) };
}

function readRoutes(app: Api, options: DashboardOptions): void {
  const { reader, resolve, mustBePerson } = options;
  app.get("/api/overview", async (context) => context.json(await overviewFor(context.env, options)));
  app.get("/api/bands", async (context) =>
    context.json(await reader.bands(within(context.req.query("hours"), 1, 48))),
  );
  app.get("/api/answered", async (context) => context.json({ answered: await reader.answered() }));
  app.get("/api/calls", async (context) => context.json(await reader.calls(callQuery(context.req.query()))));
  app.get("/api/calls/:seq", async (context) => {
    const found = await reader.call(Number(context.req.param("seq")));
    return found === undefined ? context.notFound() : context.json(found);
  });
  app.get("/api/sessions/:id", async (context) =>
    context.json(await reader.session(context.req.param("id"))),
  );
  app.get("/api/activity", async (context) =>
    context.json(await reader.activity(activityWords(context.req.query()))),
  );
  app.post("/api/decisions/:id/answer", async (context) => {
    const choice = readChoiceBody(await bodyOf(context));
    if (choice === undefined) throw new TenterhookError("usage_error", "The answer can't be read.");
    await mustBePerson(context, "An answer");
    const answered = resolve(context.req.param("id"), choice, answererOf(context.env));
    return context.json({ receipt: await answerWithReceipt(answered) });
  });
}

function controlRoutes(app: Api, { control, mustBePerson, signal }: DashboardOptions): void {
  app.post("/api/agents/:id/message", async (context) => {
    const body = await bodyOf(context);
    const message = isRecord(body) && typeof body.message === "string" ? body.message.trim() : "";
    if (message === "") throw new TenterhookError("usage_error", "The message is empty.");
    await mustBePerson(context, "A message");
    return context.json({ receipt: await control.send(context.req.param("id"), message) });
  });
  app.post("/api/agents/:id/stop", async (context) => {
    await mustBePerson(context, "The end of an agent");
    const ends = AbortSignal.any([signal, context.req.raw.signal]);
    return context.json({ receipt: await control.stop(context.req.param("id"), ends) });
  });
}

function policyRoutes(app: Api, { policy, reader, mustBePerson, signal }: DashboardOptions): void {
  if (policy === undefined) return;
  const projects = async (): Promise<readonly string[]> =>
    [...new Set([...(await reader.ownProjects()), ...(await reader.agentFolders())])].sort();
  /** Only projects that hooks have run in: a page can't have other folders read. */
  const known = async (project: unknown): Promise<string> => {
    const all = await projects();
    const found = all.find((one) => one === project) ?? (project === undefined ? all[0] : undefined);
    if (found === undefined) throw new TenterhookError("usage_error", "No hook has run in this project.");
    return found;
  };
  const editOf = async (context: Context): Promise<HookEdit> => {
    const body = await bodyOf(context);
    const { project, name, digest, text } = isRecord(body) ? body : {};
    if (typeof digest !== "string" || typeof text !== "string")
      throw new TenterhookError("usage_error", "The change can't be read.");
    return { project: await known(project), digest, text, ...(typeof name === "string" ? { name } : {}) };
  };
  app.get("/api/hooks", async (context) => {
    const all = await projects();
    if (all.length === 0) return context.json({ project: "", projects: [], hooks: [] });
    const found = await policy.hooks(await known(context.req.query("project")));
    return context.json({ ...found, projects: all });
  });
  app.get("/api/hooks/source", async (context) => {
    const { project, name } = context.req.query();
    return context.json(await policy.source(await known(project), name));
  });
  app.post("/api/hooks/try", async (context) => {
    const ends = AbortSignal.any([signal, context.req.raw.signal]);
    return context.json(await policy.tryEdit(await editOf(context), ends));
  });
  app.post("/api/hooks/save", async (context) => {
    await mustBePerson(context, "A change of a hook");
    return context.json(await policy.save(await editOf(context)));
  });
  app.post("/api/hooks/enabled", async (context) => {
    await mustBePerson(context, "A change of a hook");
    const body = await bodyOf(context);
    const { project, name, enabled } = isRecord(body) ? body : {};
    if (typeof name !== "string" || typeof enabled !== "boolean")
      throw new TenterhookError("usage_error", "The change can't be read.");
    await policy.setEnabled(await known(project), name, enabled);
    return context.json({});
  });
  app.get("/api/replay", async (context) => {
    const { project, days } = context.req.query();
    const ends = AbortSignal.any([signal, context.req.raw.signal]);
    return context.json(await policy.replay(await known(project), within(days, 30, LONGEST_DAYS), ends));
  });
}

async function bodyOf(context: Context): Promise<unknown> {
  return context.req.json().catch(() => undefined);
}

function within(given: string | undefined, usual: number, most: number): number {
  const number = Number(given);
  return number > 0 ? Math.min(number, most) : usual;
}

/** What refuses an answer because another one was faster, nobody waits, or something else is asked now. */
const REFUSED: ReadonlyMap<ErrorCode, Receipt["kind"]> = new Map([
  ["decision_closed", "late"],
  ["unknown_decision", "late"],
  ["no_prompt", "refused"],
  ["call_changed", "refused"],
]);

/** The receipt of an answer that is being given. @throws what makes the choice itself wrong. */
async function answerWithReceipt(answered: Promise<HumanRequest>): Promise<Receipt> {
  try {
    return receiptOf(await answered);
  } catch (error) {
    const kind = isTenterhookError(error) ? REFUSED.get(error.code) : undefined;
    if (kind === undefined || !isTenterhookError(error)) throw error;
    return { kind, text: error.message };
  }
}
