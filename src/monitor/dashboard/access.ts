import type { ApiBindings } from "../api/api.ts";
import { TEAM_ROUTES } from "../team/routes.ts";
import type { Ability, Access } from "./wire.ts";

/** What the page offers, and the requests that it makes for it. */
const REQUESTS: Readonly<Record<Ability, readonly string[]>> = {
  answer: ["POST /api/decisions/:id/answer"],
  control: ["POST /api/agents/:id/message", "POST /api/agents/:id/stop"],
  change_hooks: [
    "GET /api/hooks/source",
    "POST /api/hooks/try",
    "POST /api/hooks/save",
    "POST /api/hooks/enabled",
  ],
  replay: ["GET /api/replay"],
};

/** What the page may do: what the role of its team token allows, and everything without such a token. */
export function accessOf({ token }: Pick<ApiBindings, "token">): Access {
  const abilities: readonly Ability[] = ["answer", "control", "change_hooks", "replay"];
  if (token === undefined) return { may: abilities };
  const { role, name } = token;
  const allowed = new Set(
    TEAM_ROUTES.filter(({ roles }) => roles.some((one) => one === role)).map(
      ({ method, path }) => `${method} ${path}`,
    ),
  );
  return {
    may: abilities.filter((ability) => REQUESTS[ability].every((request) => allowed.has(request))),
    token: { role, name },
  };
}
