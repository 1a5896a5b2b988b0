import type { TokenRole } from "../../shared/monitor/monitor.ts";

/** A request of the team's server, and who may make it. */
export interface TeamRoute {
  readonly method: "GET" | "POST";
  /** As Hono writes paths. */
  readonly path: string;
  readonly roles: readonly TokenRole[];
}

const ALL = ["reporter", "person", "viewer"] as const;
const REPORTER = ["reporter"] as const;
const LOOKS = ["person", "viewer"] as const;
const ANSWERS = ["person"] as const;

/**
 * The one table of what a token can do. A request that is not in it is refused for every role: that includes all of the
 * dashboard's requests that change this machine's own agents and hooks.
 */
export const TEAM_ROUTES: readonly TeamRoute[] = [
  { method: "GET", path: "/v1/team", roles: ALL },
  { method: "POST", path: "/v1/team/join", roles: REPORTER },
  { method: "POST", path: "/v1/team/events", roles: REPORTER },
  { method: "GET", path: "/v1/team/answers", roles: REPORTER },
  { method: "POST", path: "/v1/team/receipts", roles: REPORTER },
  { method: "GET", path: "/v1/agents", roles: LOOKS },
  { method: "GET", path: "/v1/decisions", roles: LOOKS },
  { method: "POST", path: "/v1/decisions/:id/resolve", roles: ANSWERS },
  { method: "GET", path: "/api/news", roles: LOOKS },
  { method: "GET", path: "/api/overview", roles: LOOKS },
  { method: "GET", path: "/api/bands", roles: LOOKS },
  { method: "GET", path: "/api/answered", roles: LOOKS },
  { method: "GET", path: "/api/calls", roles: LOOKS },
  { method: "GET", path: "/api/calls/:seq", roles: LOOKS },
  { method: "GET", path: "/api/sessions/:id", roles: LOOKS },
  { method: "GET", path: "/api/activity", roles: LOOKS },
  { method: "GET", path: "/api/hooks", roles: LOOKS },
  { method: "POST", path: "/api/decisions/:id/answer", roles: ANSWERS },
  { method: "GET", path: "/assets/*", roles: LOOKS },
  { method: "GET", path: "/favicon.svg", roles: LOOKS },
  { method: "GET", path: "/", roles: LOOKS },
  { method: "GET", path: "/inbox", roles: LOOKS },
  { method: "GET", path: "/sessions/*", roles: LOOKS },
  { method: "GET", path: "/activity", roles: LOOKS },
  { method: "GET", path: "/hooks", roles: LOOKS },
  { method: "GET", path: "/replay", roles: LOOKS },
];
