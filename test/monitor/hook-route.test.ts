import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { createServer, request } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import type { AnswerHook } from "../../src/monitor/daemon/hook-route.ts";
import { testDaemon } from "./support/test-daemon.ts";

const ECHO: AnswerHook = async ({ agent, text: payload, seconds, agentId }) =>
  JSON.stringify({ agent, payload, seconds, agentId });

type Headers = Readonly<Record<string, string>>;

/** Posts a body; returns the status and the reply. */
function post(url: string, headers: Headers, body: string | Buffer = "{}", path = "/tenterhook/hook/claude") {
  return new Promise<{ status?: number | undefined; body: string }>((resolve, reject) => {
    const outgoing = request(url, { path, method: "POST", headers }, (reply) => {
      text(reply).then((said) => resolve({ status: reply.statusCode, body: said }), reject);
    });
    outgoing.on("error", reject);
    outgoing.on("socket", (socket) => socket.on("error", () => undefined));
    outgoing.end(body);
  });
}

async function daemonWith(answerHook: AnswerHook) {
  const daemon = await testDaemon({ answerHook });
  const hookToken = readFileSync(daemon.place.hookToken, "utf8");
  return { ...daemon, hookToken, allowed: { authorization: `Bearer ${hookToken}` } };
}

describe("an agent that asks by HTTP", () => {
  it("gets the decision, and tells how long it waits and who it is", async () => {
    const { info, allowed } = await daemonWith(ECHO);
    const headers = { ...allowed, "tenterhook-timeout": "60", "tenterhook-agent": "planner" };
    expect(await post(info.url, headers, '{"a":1}')).toEqual({
      status: 200,
      body: JSON.stringify({ agent: "claude", payload: '{"a":1}', seconds: 60, agentId: "planner" }),
    });
  });

  it("is refused without its token, with that of the monitor, and from a page in a browser", async () => {
    const { info, token, allowed } = await daemonWith(ECHO);
    const statusOf = async (headers: Headers) => (await post(info.url, headers)).status;
    expect([
      await statusOf({}),
      await statusOf({ authorization: `Bearer ${token}` }),
      await statusOf({ ...allowed, host: "evil.example" }),
      await statusOf({ ...allowed, origin: "https://evil.example" }),
    ]).toEqual([401, 401, 403, 403]);
  });

  it("can do nothing else with its token", async () => {
    const { info, allowed } = await daemonWith(ECHO);
    const statusOf = async (path: string) => (await post(info.url, allowed, "{}", path)).status;
    expect([
      await statusOf("/v1/agents"),
      await statusOf("/v1/decisions/x/resolve"),
      await statusOf("/tenterhook/hook/../../v1/agents"),
      await statusOf("/v1/stop"),
    ]).toEqual([401, 401, 401, 401]);
  });

  it("gets no decision for 100 MB, for what is not UTF-8, and when deciding fails", async () => {
    const { info, allowed } = await daemonWith(async () => {
      throw new Error("The disk is gone.");
    });
    const large = { ...allowed, "content-length": String(100_000_000) };
    expect(
      [
        await post(info.url, large, Buffer.alloc(100_000_000)).catch(() => ({ status: 413 })),
        await post(info.url, allowed, Buffer.from([0xff, 0xfe])),
        await post(info.url, allowed),
      ].map(({ status }) => status),
    ).toEqual([413, 400, 500]);
  });

  it("that goes away is noticed", async () => {
    let begun = (_: AbortSignal): void => undefined;
    const asked = new Promise<AbortSignal>((resolve) => {
      begun = resolve;
    });
    const { info, allowed } = await daemonWith(async ({ signal }) => {
      begun(signal);
      await once(signal, "abort");
      return "";
    });
    const outgoing = request(info.url, { path: "/tenterhook/hook/claude", method: "POST", headers: allowed });
    outgoing.on("error", () => undefined);
    outgoing.end("{}");
    const signal = await asked;
    const aborted = once(signal, "abort");
    outgoing.destroy();
    await aborted;
  });
});

describe("the daemon's address for agents", () => {
  it("stays the same after a restart, in private files", async () => {
    const first = await daemonWith(ECHO);
    await first.close();
    const second = await testDaemon({ environment: first.environment });
    expect(second.info.url).toBe(first.info.url);
    const { hookToken, port } = second.place;
    expect(readFileSync(hookToken, "utf8")).toBe(first.hookToken);
    expect([hookToken, port].map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
  });

  it("is another one while its port is taken", async () => {
    const first = await daemonWith(ECHO);
    await first.close();
    const other = createServer().listen(Number(new URL(first.info.url).port), "127.0.0.1");
    onTestFinished(() => void other.close());
    await once(other, "listening");
    const second = await testDaemon({ environment: first.environment });
    expect(second.info.url).not.toBe(first.info.url);
    expect(readFileSync(second.place.port, "utf8")).toBe(new URL(second.info.url).port);
  });
});
