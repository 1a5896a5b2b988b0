import type { Context, MiddlewareHandler } from "hono";
import { Hono } from "hono";
import type { TeamToken } from "../../shared/monitor/monitor.ts";
import type { Api, ApiBindings, ApiContext } from "../daemon/api.ts";
import { failing, failure } from "../http-failures.ts";
import { isOwnPage, loginForm, loginRoutes, tokenInCookie } from "./login.ts";
import { TEAM_ROUTES } from "./routes.ts";
import type { Tokens } from "./tokens.ts";

export interface TeamServerOptions {
  readonly tokens: Pick<Tokens, "valid" | "isValid">;
  readonly reports: Api;
  /** The daemon's own requests, and its dashboard, for those who may make them. */
  readonly api: Api;
  readonly dashboard: Api;
  readonly onError: (error: unknown) => void;
}

/** The requests that other machines may make: those of {@link TEAM_ROUTES}, each with a token of one of its roles. */
export function teamServer({ tokens, reports, api, dashboard, onError }: TeamServerOptions): Api {
  const server: Api = new Hono();
  server.onError(failing(onError));
  loginRoutes(server, tokens);
  const passOn = (context: ApiContext, token: TeamToken) => {
    const { path, raw } = context.req;
    const app = path.startsWith("/v1/team") ? reports : path.startsWith("/v1/") ? api : dashboard;
    const isValid = (): Promise<boolean> => tokens.isValid(token);
    return app.fetch(raw, { ...context.env, token, isValid } satisfies ApiBindings);
  };
  for (const { method, path, roles } of TEAM_ROUTES)
    server.on(method, path, async (context) => {
      const token = await tokenOf(context, tokens);
      if (token === undefined) return unknown(context);
      if (!roles.includes(token.role))
        return context.json(failure("not_allowed", `A ${token.role}'s token does not allow this.`), 403);
      return passOn(context, token);
    });
  server.all("*", onlyKnown(tokens), (context) =>
    context.json(failure("not_found", "There is no such request."), 404),
  );
  return server;
}

/** Nobody learns what there is without a token. */
function onlyKnown(tokens: Pick<Tokens, "valid">): MiddlewareHandler {
  return async (context, next) =>
    (await tokenOf(context, tokens)) === undefined ? unknown(context) : next();
}

async function tokenOf(context: Context, tokens: Pick<Tokens, "valid">): Promise<TeamToken | undefined> {
  const [, shown] = /^Bearer (\S{1,200})$/.exec(context.req.header("authorization") ?? "") ?? [];
  if (shown !== undefined) return tokens.valid(shown);
  const cookie = isOwnPage(context.req) ? tokenInCookie(context.req) : undefined;
  return cookie === undefined ? undefined : tokens.valid(cookie);
}

function unknown(context: Context): Response {
  const isPage = context.req.method === "GET" && context.req.header("accept")?.includes("text/html") === true;
  return isPage
    ? loginForm("", 401)
    : context.json(failure("not_allowed", "The token is missing, unknown, expired or revoked."), 401);
}
