import type { Context, MiddlewareHandler } from "hono";
import { Hono } from "hono";
import type { TeamToken } from "../../shared/monitor/monitor.ts";
import type { Api, ApiBindings, ApiContext } from "../api/api.ts";
import { PAGE_PATHS, tokenIn } from "../dashboard/server.ts";
import { failing, failure } from "../http-failures.ts";
import { TEAM_ROUTES } from "../team/routes.ts";
import type { Tokens } from "../team/tokens.ts";

export interface TeamServerOptions {
  readonly tokens: Pick<Tokens, "valid" | "isValid">;
  /** True when nobody between a person and this server can read along. */
  readonly isPrivate: boolean;
  readonly reports: Api;
  /** The daemon's own requests, and its dashboard, for those who may make them. */
  readonly api: Api;
  readonly dashboard: Api;
  readonly onError: (error: unknown) => void;
}

/** The requests that other machines may make: those of {@link TEAM_ROUTES}, each with a token of one of its roles. */
export function teamServer({ tokens, isPrivate, reports, api, dashboard, onError }: TeamServerOptions): Api {
  const server: Api = new Hono();
  server.onError(failing(onError));
  for (const path of PAGE_PATHS) server.get(path, ({ req, env }) => dashboard.fetch(req.raw, env));
  const passOn = (context: ApiContext, token: TeamToken) => {
    const { path, raw } = context.req;
    const app = path.startsWith("/v1/team") ? reports : path.startsWith("/v1/") ? api : dashboard;
    const isValid = (): Promise<boolean> => tokens.isValid(token);
    return app.fetch(raw, { ...context.env, token, isValid } satisfies ApiBindings);
  };
  for (const { method, path, roles } of TEAM_ROUTES)
    server.on(method, path, async (context) => {
      const token = await tokens.valid(tokenIn(context));
      if (token === undefined) return unknown(context);
      if (token.role === "person" && !isPrivate) return context.json(readable(), 403);
      if (!roles.some((role) => role === token.role))
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
    (await tokens.valid(tokenIn(context))) === undefined ? unknown(context) : next();
}

function unknown(context: Context): Response {
  return context.json(failure("not_allowed", "The token is missing, unknown, expired or revoked."), 401);
}

function readable() {
  return failure(
    "not_allowed",
    "A person's token is taken over TLS only: who reads it can answer.",
    "Start serve with --tls-cert and --tls-key, or with --tls-proxy behind a server that has TLS.",
  );
}
