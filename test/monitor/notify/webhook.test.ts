import { describe, expect, it } from "vitest";
import { isSigned, signature } from "../../../src/node/signature.ts";
import { eventually } from "../../support/processes.ts";
import { listening } from "./support/listening.ts";
import { type WebhookReply, webhookServer } from "./support/webhook-server.ts";
import { held, monitored } from "./support/world.ts";

const KEY = "the key of this webhook";

async function webhookWorld(...replies: readonly (WebhookReply | "drop")[]) {
  const server = await webhookServer(...replies);
  const world = await monitored(
    { notify: [{ webhook: server.url, secret_env: "HOOK_KEY" }] },
    { HOOK_KEY: KEY, DB_PASSWORD: "correct horse battery" },
  );
  return { ...world, server };
}

const plan = () => held("plan_approval", "1. Paint", { agent_id: "painter" });

describe("a webhook", () => {
  it("receives the decision as JSON, signed with the key", async () => {
    const { take, server } = await webhookWorld();
    const asked = plan();
    await take(asked);
    await eventually(() => expect(server.received).toHaveLength(1));
    const [{ headers, body } = { headers: {}, body: "" }] = server.received;
    expect(isSigned(body, String(headers["x-tenterhook-signature"]), KEY)).toBe(true);
    expect(isSigned(`${body} `, String(headers["x-tenterhook-signature"]), KEY)).toBe(false);
    expect(isSigned(body, String(headers["x-tenterhook-signature"]), "another key")).toBe(false);
    expect(isSigned(body, signature(body, KEY, 1000), KEY)).toBe(false);
    expect(headers["x-tenterhook-delivery"]).toBe(`${asked.id}.0.decision.opened`);
    expect(JSON.parse(body)).toMatchObject({
      v: 1,
      event: "decision.opened",
      title: "painter has a plan to approve in shop",
      decision: { id: asked.id, source: "plan", context: "1. Paint", state: "open" },
    });
  });

  it("hears when nobody has to answer any more", async () => {
    const { take, server, monitor, answerTo } = await webhookWorld();
    const asked = plan();
    await take(asked);
    await eventually(() => expect(server.received).toHaveLength(1));
    void answerTo(asked);
    await monitor.resolve(asked.id, { choices: ["accept"] }, { by: "me", channel: "cli" });
    await eventually(() => expect(server.received).toHaveLength(2));
    expect(JSON.parse(server.received[1]?.body ?? "")).toMatchObject({
      event: "decision.closed",
      decision: { state: "resolved", resolved: { by: "me", channel: "cli" } },
    });
  });

  it("may answer at once with a signed reply", async () => {
    const body = JSON.stringify({ choices: ["revise"], message: "Wash it first" });
    const { take, answerTo, decision } = await webhookWorld({
      body,
      headers: { "x-tenterhook-signature": signature(body, KEY) },
    });
    const asked = plan();
    await take(asked);
    expect(await answerTo(asked)).toEqual({ allow: false, feedback: "Wash it first" });
    expect((await decision(asked.id))?.resolved).toMatchObject({ by: "webhook", channel: "webhook" });
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ["no signature", {}],
    ["a wrong one", { "x-tenterhook-signature": signature('{"choices":["accept"]}', "another key") }],
    ["an old one", { "x-tenterhook-signature": signature('{"choices":["accept"]}', KEY, 1000) }],
    ["one of another length", { "x-tenterhook-signature": `t=000${signature("", KEY).slice(2)}` }],
  ])("can't answer with %s", async (_, headers) => {
    const { take, server, decision, store } = await webhookWorld({ body: '{"choices":["accept"]}', headers });
    const asked = plan();
    await take(asked);
    await eventually(() => expect(server.received).toHaveLength(1));
    await eventually(async () => expect(await store.pendingDeliveries()).toMatchObject([{ state: "sent" }]));
    expect((await decision(asked.id))?.state).toBe("open");
  });

  it.each<[string, WebhookReply | "drop"]>([
    ["a lost connection", "drop"],
    ["an error of the server", { status: 503 }],
    ["too many requests", { status: 429, headers: { "retry-after": "1" } }],
  ])("is called again after %s, with the same id", async (_, reply) => {
    const { take, server } = await webhookWorld(reply);
    await take(plan());
    await eventually(() => expect(server.received).toHaveLength(2));
    const ids = server.received.map(({ headers }) => headers["x-tenterhook-delivery"]);
    expect(new Set(ids).size).toBe(1);
  });

  it.each<[string, WebhookReply, string]>([
    ["refuses it", { status: 404 }, "It answered 404."],
    [
      "redirects",
      { status: 307, headers: { location: "http://127.0.0.1:1/elsewhere" } },
      "It answered 307; redirects are not followed.",
    ],
  ])("that %s is not called again", async (_, reply, problem) => {
    const { take, server, notifier, store } = await webhookWorld(reply);
    await take(plan());
    await eventually(() => expect(notifier.channels()).toEqual([{ channel: "webhook", problem }]));
    await eventually(async () => expect(await store.pendingDeliveries()).toEqual([]));
    expect(server.received).toHaveLength(1);
  });

  it("gets no secrets", async () => {
    const { take, server } = await webhookWorld();
    await take(
      held("question", [
        { question: "Use correct horse battery?", options: [{ label: "correct horse battery" }] },
      ]),
    );
    await eventually(() => expect(server.received).toHaveLength(1));
    expect(server.received[0]?.body).not.toContain("correct horse battery");
    expect(server.received[0]?.body).not.toContain(KEY);
  });
});

describe("channels", () => {
  it("do not wait for one that does not answer", async () => {
    const silent = await listening(() => undefined);
    const up = await webhookServer();
    const { take } = await monitored({ notify: [{ webhook: silent }, { webhook: up.url }] });
    await take(plan());
    await take(held("plan_approval", "1. Paint"), held("plan_approval", "1. Paint"));
    await eventually(() => expect(up.received).toHaveLength(3));
  });

  it("get nothing about a decision that was closed before its turn came", async () => {
    let drop = (): void => {};
    const dropped = new Promise<"drop">((resolve) => {
      drop = () => resolve("drop");
    });
    const server = await webhookServer(dropped);
    const { take, monitor, store } = await monitored({ notify: [{ webhook: server.url }] });
    const asked = plan();
    await take(asked);
    await eventually(() => expect(server.received).toHaveLength(1));
    await monitor.resolve(asked.id, { choices: ["accept"] }, { by: "me", channel: "cli" });
    drop();
    await eventually(async () => expect(await store.pendingDeliveries()).toEqual([]));
    expect(server.received).toHaveLength(1);
  });

  it("get nothing about decisions from days ago", async () => {
    const server = await webhookServer();
    const { take } = await monitored({ notify: [{ webhook: server.url }] });
    await take(held("plan_approval", "old", { time: new Date(Date.now() - 3 * 86_400_000).toISOString() }));
    await take(held("plan_approval", "new"));
    await eventually(() => expect(server.received).toHaveLength(1));
    expect(JSON.parse(server.received[0]?.body ?? "")).toMatchObject({ decision: { context: "new" } });
  });
});
