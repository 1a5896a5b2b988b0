import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { MACHINE_HEADER } from "../../../src/monitor/team/client.ts";
import { TEAM_ROUTES } from "../../../src/monitor/team/routes.ts";
import { TOKEN_ROLES, type TokenRole } from "../../../src/shared/monitor/monitor.ts";
import { sampled } from "../../support/long.ts";
import { eventually } from "../../support/processes.ts";
import { machine, permission, teamMonitor } from "./support/team.ts";

/** What each role may do, written down once more: the table of the server must say the same. */
const MAY: Readonly<Record<TokenRole, readonly string[]>> = {
  reporter: [
    "GET /v1/team",
    "POST /v1/team/join",
    "POST /v1/team/events",
    "GET /v1/team/answers",
    "POST /v1/team/receipts",
  ],
  viewer: [
    "GET /v1/team",
    "GET /v1/agents",
    "GET /v1/decisions",
    "GET /api/news",
    "GET /api/overview",
    "GET /api/bands",
    "GET /api/answered",
    "GET /api/calls",
    "GET /api/calls/:seq",
    "GET /api/sessions/:id",
    "GET /api/activity",
    "GET /api/hooks",
  ],
  person: ["POST /v1/decisions/:id/resolve", "POST /api/decisions/:id/answer"],
};

/** What the daemon answers to its own user, and to nobody on another machine. */
const NOBODYS = [
  "GET /v1/info",
  "POST /v1/stop",
  "GET /v1/tokens",
  "POST /v1/tokens",
  "POST /v1/tokens/x/revoke",
  "POST /v1/dashboard",
  "GET /dashboard/api/overview",
  "POST /api/agents/x/stop",
  "POST /api/agents/x/message",
  "GET /api/hooks/source",
  "POST /api/hooks/try",
  "POST /api/hooks/save",
  "POST /api/hooks/enabled",
  "GET /api/replay",
  "GET /v1/team/",
  "GET /v1/team/../info",
  "GET //v1/info",
  "POST /api/login",
  "GET /api/proof",
];

const MACHINE = "machine-1";

/** Who shows no valid token. */
const STRANGERS: readonly string[] = [
  "none",
  "empty",
  ...TOKEN_ROLES.flatMap((role) => [`an expired ${role}`, `a revoked ${role}`, `a forged ${role}`]),
  "of another monitor",
  "the daemon's own",
];

function mayOf(role: TokenRole): ReadonlySet<string> {
  return new Set(role === "person" ? [...MAY.person, ...MAY.viewer] : MAY[role]);
}

const ROUTES = TEAM_ROUTES.map(({ method, path }) => `${method} ${path}`);

it("the table of the server has these requests, each once", () => {
  expect(ROUTES.toSorted()).toEqual([...new Set([...MAY.reporter, ...MAY.viewer, ...MAY.person])].toSorted());
});

describe("a token and a request", () => {
  let url = "";
  const tokens = new Map<string, string>();
  const ended: (() => unknown)[] = [];
  beforeAll(async () => {
    const atEnd = (work: () => unknown) => void ended.push(work);
    const team = await teamMonitor({}, atEnd);
    const other = await teamMonitor({}, atEnd);
    url = team.url;
    for (const role of TOKEN_ROLES) tokens.set(role, await team.token({ role }));
    const soon = new Date(Date.now() + 1).toISOString();
    for (const role of TOKEN_ROLES) {
      tokens.set(`an expired ${role}`, await team.token({ role, expires_at: soon }));
      const revoked = await team.client.createToken({ role });
      await team.client.revokeToken(revoked.shown.id);
      tokens.set(`a revoked ${role}`, revoked.token);
      const [, id] = (tokens.get(role) ?? "").split("_");
      tokens.set(`a forged ${role}`, `thk_${id}_${randomBytes(32).toString("base64url")}`);
    }
    tokens.set("of another monitor", await other.token({ role: "person" }));
    tokens.set("the daemon's own", team.ownToken);
    tokens.set("empty", "");
    const joins = { name: "laptop", id: MACHINE };
    await send(url, tokens.get("reporter") ?? "", MACHINE, "/v1/team/join", joins);
    return async () => {
      for (const end of ended.reverse()) await end();
    };
  });

  const ask = async (route: string, who: string): Promise<number> => {
    const [method = "GET", path = "/"] = route.split(" ");
    const token = tokens.get(who);
    const ending = new AbortController();
    const reply = await fetch(`${url}${path.replace(/:\w+|\*/, "x")}`, {
      method,
      signal: ending.signal,
      redirect: "manual",
      headers: {
        "content-type": "application/json",
        [MACHINE_HEADER]: MACHINE,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(method === "POST" ? { body: "{}" } : {}),
    });
    // News have no end.
    ending.abort();
    return reply.status;
  };

  it.each(ROUTES.flatMap((route) => TOKEN_ROLES.map((role) => [role, route] as const)))(
    "%s: %s",
    async (role, route) => {
      const status = await ask(route, role);
      expect(status === 403 ? "refused" : "passed on").toBe(mayOf(role).has(route) ? "passed on" : "refused");
      expect(status).not.toBe(401);
    },
  );

  it.each(STRANGERS)("%s: no request", async (who) => {
    const replies = await Promise.all(
      sampled([...ROUTES, ...NOBODYS], 2).map(async (one) => [one, await ask(one, who)]),
    );
    expect(replies.filter(([, status]) => status !== 401)).toEqual([]);
  });

  it.each(["another-machine", undefined])(
    "reporter: nothing of its machine with the id of another one (%s)",
    async (id) => {
      const routes = [...mayOf("reporter")].filter((one) => !/(team|join)$/.test(one));
      const replies = await Promise.all(
        routes.map(async (one) => {
          const [method = "GET", path = ""] = one.split(" ");
          const reply = await fetch(`${url}${path}`, {
            method,
            headers: {
              authorization: `Bearer ${tokens.get("reporter")}`,
              "content-type": "application/json",
              ...(id === undefined ? {} : { [MACHINE_HEADER]: id }),
            },
            ...(method === "POST" ? { body: "{}" } : {}),
          });
          return [one, reply.status];
        }),
      );
      expect(replies).toEqual([
        ["POST /v1/team/events", 403],
        ["GET /v1/team/answers", 403],
        ["POST /v1/team/receipts", 403],
      ]);
    },
  );

  it.each(TOKEN_ROLES)("%s: nothing that is not in the table", async (role) => {
    const replies = await Promise.all(NOBODYS.map(async (one) => [one, await ask(one, role)]));
    expect(replies.filter(([, status]) => status !== 404)).toEqual([]);
  });
});

/** What a machine sends, with this token and as this machine. */
async function send(url: string, token: string, id: string, path: string, body: object): Promise<Response> {
  return fetch(`${url}${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      [MACHINE_HEADER]: id,
      "content-type": "application/json",
    },
    body: JSON.stringify(body),
  });
}

function reported(id: string, fields: object = {}) {
  return { v: 1, id, time: new Date().toISOString(), type: "agent:turn", agent_id: "worker", ...fields };
}

describe("a reporter's token", () => {
  it("works on the machine that has joined with it, and on no other", async () => {
    const team = await teamMonitor();
    const token = await team.token({ role: "reporter" });
    const [laptop, thief] = [await machine(), await machine()];
    const { id } = await laptop.join(team.url, token, "laptop");
    await expect(thief.join(team.url, token, "laptop")).rejects.toMatchObject({ code: "not_allowed" });
    const stolen = await send(team.url, token, "another-machine", "/v1/team/events", {
      events: [reported("e1")],
    });
    expect([stolen.status, await team.client.agents()]).toEqual([403, []]);
    expect((await send(team.url, token, id, "/v1/team/events", { events: [reported("e1")] })).status).toBe(
      200,
    );
    expect(await team.client.agents()).toHaveLength(1);
  });

  it("gives its machine a name that no other one has", async () => {
    const team = await teamMonitor();
    const [one, other] = [await machine(), await machine()];
    await one.join(team.url, await team.token({ role: "reporter" }), "laptop");
    const second = await team.token({ role: "reporter" });
    await expect(other.join(team.url, second, "laptop")).rejects.toThrow(
      "Another machine has joined as laptop.",
    );
    const named = await team.token({ role: "reporter", name: "build-2" });
    expect((await other.join(team.url, named, "laptop")).machine).toBe("build-2");
  });

  it("reports for its own machine, whatever its events say", async () => {
    const team = await teamMonitor();
    const laptop = await machine();
    const { id, token } = await laptop.join(team.url, await team.token({ role: "reporter" }), "laptop");
    const events = [
      reported("e1", { agent_id: "worker@server", machine: "server" }),
      reported("e2", { machine: undefined, agent_id: "own" }),
    ];
    await send(team.url, token, id, "/v1/team/events", { events });
    expect((await team.client.agents()).map((one) => [one.agent_id, one.machine])).toEqual([
      ["own@laptop", "laptop"],
      ["worker@server@laptop", "laptop"],
    ]);
  });

  it("changes no question of another machine, sees no answer to one, and what is replayed changes nothing", async () => {
    const team = await teamMonitor({ takenMilliseconds: 0 });
    const [laptop, server] = [await machine(), await machine()];
    // Its daemon would answer for it.
    await laptop.close();
    const joined = await laptop.join(team.url, await team.token({ role: "reporter" }), "laptop");
    const { id, token } = await server.join(team.url, await team.token({ role: "reporter" }), "server");
    const asked = reported("q1", { type: "agent:prompt", ...permission() });
    await send(team.url, joined.token, joined.id, "/v1/team/events", { events: [asked] });
    await team.client.resolve("q1", { choices: ["allow"] });
    const before = await team.client.decisions("all");
    expect(before).toMatchObject([{ id: "q1", machine: "laptop", state: "resolved" }]);

    const resolved = {
      at: new Date().toISOString(),
      by: "thief",
      channel: "cli",
      answer: { allow: false },
      fate: "given",
    };
    const answer = { type: "agent:answer", prompt: "q1", answer: { allow: false }, by: "thief" };
    const events = [reported("x1", answer), { ...asked, agent_id: "worker@laptop" }];
    const action = { type: "agent:action", action: "nudge", decision: "q1", asked: true, source: "idle" };
    const failed = { type: "agent:action_ended", action_id: "x2", ok: false, why: "x", moot: true };
    await send(team.url, token, id, "/v1/team/events", {
      events: [...events, reported("x2", action), reported("x3", failed)],
    });
    await send(team.url, token, id, "/v1/team/receipts", {
      receipts: [{ id: "q1", state: "resolved", resolved }],
    });
    expect(await team.client.decisions("all")).toEqual(before);
    const answers = await fetch(`${team.url}/v1/team/answers`, {
      headers: { authorization: `Bearer ${token}`, [MACHINE_HEADER]: id },
    });
    expect(await answers.json()).toEqual({ answers: [], open: [] });

    // Its own machine has taken it; the same receipt and the same events again change nothing.
    const receipts = [{ id: "q1", state: "resolved", resolved: { ...resolved, by: "anna" } }];
    for (let time = 0; time < 2; time++) {
      await send(team.url, joined.token, joined.id, "/v1/team/events", { events: [asked] });
      await send(team.url, joined.token, joined.id, "/v1/team/receipts", { receipts });
      receipts[0] = {
        ...receipts[0],
        id: "q1",
        state: "resolved",
        resolved: { ...resolved, by: `anna ${time}` },
      };
    }
    expect(await team.client.decisions("all")).toMatchObject([{ id: "q1", resolved: { by: "anna" } }]);
  });

  it("that is revoked ends at once, also for a machine that waits for an answer", async () => {
    const team = await teamMonitor({ takenMilliseconds: 0 });
    const laptop = await machine();
    const { shown, token } = await team.client.createToken({ role: "reporter" });
    const { id } = await laptop.join(team.url, token, "laptop");
    const asked = laptop.report("agent:prompt", permission());
    await eventually(async () => expect(await team.client.decisions("open")).toHaveLength(1));
    const waiting = fetch(`${team.url}/v1/team/answers?wait=30`, {
      headers: { authorization: `Bearer ${token}`, [MACHINE_HEADER]: id },
    });
    await sleep(200);
    await team.client.revokeToken(shown.id.slice(0, 6));
    const answering = team.client.resolve(asked.id, { choices: ["allow"] });
    // On a busy machine it may not have begun to wait.
    expect([401, 403]).toContain((await waiting).status);
    await answering;
    expect((await send(team.url, token, id, "/v1/team/events", { events: [] })).status).toBe(401);
    // Its own request for answers waits for half a minute; what it reports is refused at once.
    laptop.report("agent:turn");
    await eventually(async () => expect((await laptop.client.info())?.team?.problem).toContain("revoked"));
  });
});
