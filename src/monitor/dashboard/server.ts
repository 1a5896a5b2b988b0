import type { Socket } from "node:net";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { TenterhookError } from "../../core/base/errors.ts";
import { isRecord } from "../../core/base/json.ts";
import type { HumanRequest } from "../../shared/monitor/monitor.ts";
import { type Api, type ApiBindings, type ApiContext, answererOf } from "../daemon/api.ts";
import { type Choice, readChoiceBody } from "../decisions/resolve.ts";
import { failing, failure, limited } from "../http-failures.ts";
import { mustBe, type Standing } from "../person/standing.ts";
import { accessOf } from "./access.ts";
import { answerWithReceipt } from "./answer.ts";
import { asset, page, SAFE_HEADERS } from "./assets.ts";
import type { Control } from "./control.ts";
import { BASE_HEADER } from "./handler.ts";
import type { Logins } from "./login.ts";
import { loginPage } from "./login-page.ts";
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
  /** Who is at the other end of a connection. */
  readonly whoAnswers: (socket: Socket) => Promise<Standing>;
  /** Absent where every request has shown the token already. */
  readonly logins?: Logins;
  readonly onError: (error: unknown) => void;
  /** Aborted when the daemon ends. */
  readonly signal: AbortSignal;
}

/** The page and what it asks for. Without a login, nothing but the login answers. */
export function dashboardApp(options: DashboardOptions): Api {
  const { logins, news, signal } = options;
  const app: Api = new Hono();
  app.onError(failing(options.onError));
  app.notFound((context) => context.json(failure("not_found", "There is no such page."), 404));
  if (logins !== undefined) {
    app.get("/login", (context) => login(context, logins));
    app.use(onlyLoggedIn(logins));
  }
  app.use(limited);
  app.use("/api/*", async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(SAFE_HEADERS)) context.header(name, value);
    context.header("cache-control", "no-store");
  });
  app.get("/api/news", (context) => {
    const ends = AbortSignal.any([signal, context.req.raw.signal]);
    // The token of a request may end meanwhile.
    const { isValid = async () => true } = context.env;
    return newsStream(
      async () => ((await isValid()) ? overviewFor(context.env, options) : undefined),
      news,
      ends,
    );
  });
  readRoutes(app, options);
  controlRoutes(app, options);
  policyRoutes(app, options);
  app.get(
    "/assets/*",
    (context) => asset(`assets/${context.req.path.split("/assets/")[1] ?? ""}`) ?? context.notFound(),
  );
  app.get("/favicon.svg", () => asset("favicon.svg") ?? new Response(null, { status: 404 }));
  for (const path of ["/", "/inbox", "/sessions/*", "/activity", "/hooks", "/replay"])
    app.get(path, (context) => page(context.req.header(BASE_HEADER) ?? "/"));
  return app;
}

function login(context: Context, logins: Logins): Response {
  if (!logins.take(context.req.query("code") ?? ""))
    return askForLogin("This link was used before, or is older than five minutes.");
  return new Response(null, {
    status: 303,
    headers: {
      ...SAFE_HEADERS,
      location: "/",
      "set-cookie": logins.cookie("/"),
      "cache-control": "no-store",
    },
  });
}

function askForLogin(why: string): Response {
  const how = "Run <code>tenterhook dashboard</code> in a terminal. It opens a link that logs in once.";
  return loginPage(`<div class="card"><p>${why}</p><p>${how}</p></div>`, 401);
}

/**
 * Lets requests of a browser through that has logged in. Other servers of this machine are the same site for a browser,
 * which sends them our cookie: requests for data must come from our own page.
 */
function onlyLoggedIn(logins: Logins): MiddlewareHandler {
  return async ({ req, json }, next) => {
    const isPage = req.header("sec-fetch-dest") === "document" || req.header("accept")?.includes("text/html");
    const from = req.header("sec-fetch-site");
    const isOwn = from === undefined || from === "same-origin" || from === "none";
    const isChange = req.method !== "GET" && req.method !== "HEAD";
    if (!logins.isLoggedIn(req.header("cookie")))
      return isPage && !isChange
        ? askForLogin("This browser has not logged in.")
        : json(failure("not_allowed", "Log in first: run tenterhook dashboard."), 401);
    if (isChange && req.header("origin") === undefined)
      return json(failure("not_allowed", "The Origin of this request is missing."), 403);
    if (!isOwn && !isPage) return json(failure("not_allowed", "Another page has sent this request."), 403);
    return next();
  };
}

async function overviewFor(bindings: ApiBindings, { reader }: DashboardOptions): Promise<Overview> {
  return { ...(await reader.overview()), ...accessOf(bindings) };
}

function readRoutes(app: Api, options: DashboardOptions): void {
  const { reader, resolve } = options;
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
    await mustBePerson(context, options, "answer");
    const answered = resolve(context.req.param("id"), choice, answererOf(context.env));
    return context.json({ receipt: await answerWithReceipt(answered) });
  });
}

function controlRoutes(app: Api, options: DashboardOptions): void {
  const { control, signal } = options;
  app.post("/api/agents/:id/message", async (context) => {
    const body = await bodyOf(context);
    const message = isRecord(body) && typeof body.message === "string" ? body.message.trim() : "";
    if (message === "") throw new TenterhookError("usage_error", "The message is empty.");
    await mustBePerson(context, options, "message");
    return context.json({ receipt: await control.send(context.req.param("id"), message) });
  });
  app.post("/api/agents/:id/stop", async (context) => {
    await mustBePerson(context, options, "end of an agent");
    const ends = AbortSignal.any([signal, context.req.raw.signal]);
    return context.json({ receipt: await control.stop(context.req.param("id"), ends) });
  });
}

function policyRoutes(app: Api, options: DashboardOptions): void {
  const { policy, reader, signal } = options;
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
    await mustBePerson(context, options, "change of a hook");
    return context.json(await policy.save(await editOf(context)));
  });
  app.post("/api/hooks/enabled", async (context) => {
    await mustBePerson(context, options, "change of a hook");
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

/**
 * A program that an agent has started is refused. A browser was given its login by a person, so an unknown program at the
 * other end is theirs, such as a tunnel; one that has only the token must be known.
 */
async function mustBePerson(
  context: ApiContext,
  { whoAnswers, logins }: DashboardOptions,
  what: string,
): Promise<void> {
  const { env } = context;
  // Nothing can be read from a unix socket afterwards.
  if (env.incoming.socket.remotePort === undefined) context.header("connection", "close");
  const standing = await whoAnswers(env.incoming.socket);
  if (standing.is !== "asked" || logins === undefined)
    mustBe(standing, `The ${what} must come from a person.`);
}

async function bodyOf(context: Context): Promise<unknown> {
  return context.req.json().catch(() => undefined);
}

function within(given: string | undefined, usual: number, most: number): number {
  const number = Number(given);
  return number > 0 ? Math.min(number, most) : usual;
}
