import type { TokenRole } from "../../shared/monitor/monitor.ts";

export interface TeamRoute {
  readonly method: "GET" | "POST";
  /** As Hono writes paths. */
  readonly path: string;
  readonly roles: readonly TokenRole[];
  /** What it does, for the reference. */
  readonly about: string;
}

const ALL = ["reporter", "person", "viewer"] as const;
const REPORTER = ["reporter"] as const;
const LOOKS = ["person", "viewer"] as const;
const ANSWERS = ["person"] as const;

/**
 * The one table of what a token can do. A request that is not in it is refused for every role: that includes all of the
 * dashboard's requests that change this machine's own agents and hooks. The page's files need no token.
 */
export const TEAM_ROUTES: readonly TeamRoute[] = [
  { method: "GET", path: "/v1/team", roles: ALL, about: "says what its own token is for" },
  { method: "POST", path: "/v1/team/join", roles: REPORTER, about: "binds the token to this machine" },
  {
    method: "POST",
    path: "/v1/team/events",
    roles: REPORTER,
    about: "reports what happened to its own agents, and what its hooks decided",
  },
  {
    method: "GET",
    path: "/v1/team/answers",
    roles: REPORTER,
    about: "fetches the answers to its own questions",
  },
  {
    method: "POST",
    path: "/v1/team/receipts",
    roles: REPORTER,
    about: "says what came of its own questions",
  },
  { method: "GET", path: "/v1/agents", roles: LOOKS, about: "lists agents" },
  { method: "GET", path: "/v1/decisions", roles: LOOKS, about: "lists questions" },
  { method: "POST", path: "/v1/decisions/:id/resolve", roles: ANSWERS, about: "answers a question" },
  { method: "GET", path: "/api/news", roles: LOOKS, about: "hears when there is something new" },
  { method: "GET", path: "/api/overview", roles: LOOKS, about: "agents and open questions, for the page" },
  { method: "GET", path: "/api/bands", roles: LOOKS, about: "states over time" },
  { method: "GET", path: "/api/answered", roles: LOOKS, about: "questions that were answered" },
  { method: "GET", path: "/api/calls", roles: LOOKS, about: "calls and their verdicts" },
  { method: "GET", path: "/api/calls/:seq", roles: LOOKS, about: "one call" },
  { method: "GET", path: "/api/sessions/:id", roles: LOOKS, about: "one session" },
  { method: "GET", path: "/api/activity", roles: LOOKS, about: "figures of hooks" },
  { method: "GET", path: "/api/hooks", roles: LOOKS, about: "the hooks of the serving machine" },
  {
    method: "POST",
    path: "/api/decisions/:id/answer",
    roles: ANSWERS,
    about: "answers a question in the page",
  },
];
