import { once } from "node:events";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import { dirname } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { AnswerHook } from "../../src/monitor/daemon/hook-route.ts";
import { daemonPlace } from "../../src/monitor/daemon/place.ts";
import { listenAtUsualPort } from "../../src/monitor/daemon/usual-address.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { testDaemon } from "./support/test-daemon.ts";

const ECHO: AnswerHook = async ({ agent, text: payload, seconds, agentId, folder }) =>
  JSON.stringify({ agent, payload, seconds, agentId, folder });

const HOOK = "/tenterhook/hook/claude";

type Headers = Readonly<Record<string, string>>;

/** Posts a body; returns the status and the reply. */
function post(url: string, headers: Headers, body: string | Buffer = "{}", path = HOOK) {
  return new Promise<{ status?: number | undefined; body: string }>((resolve, reject) => {
    const outgoing = request(url, { path, method: "POST", headers }, (reply) => {
      text(reply).then((content) => resolve({ status: reply.statusCode, body: content }), reject);
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
  it("gets the decision, and tells how long it waits, who it is and where it was started", async () => {
    const { info, allowed } = await daemonWith(ECHO);
    const headers = {
      ...allowed,
      "tenterhook-timeout": "60",
      "tenterhook-agent": "planner",
      "tenterhook-folder": "/work",
    };
    expect(await post(info.url, headers, '{"a":1}')).toEqual({
      status: 200,
      body: JSON.stringify({
        agent: "claude",
        payload: '{"a":1}',
        seconds: 60,
        agentId: "planner",
        folder: "/work",
      }),
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
    const decided: string[] = [];
    const { info, allowed } = await daemonWith(async ({ text: payload }) => {
      decided.push(payload);
      throw new Error("The disk is gone.");
    });
    // It is refused by its length alone: the daemon does not wait for the body.
    const large = { ...allowed, "content-length": String(100_000_000) };
    const outgoing = request(info.url, { path: HOOK, method: "POST", headers: large });
    outgoing.flushHeaders();
    const [reply] = await once(outgoing, "response");
    outgoing.on("error", () => undefined).destroy();
    expect([
      reply.statusCode,
      (await post(info.url, allowed, Buffer.from([0xff, 0xfe]))).status,
      (await post(info.url, allowed)).status,
    ]).toEqual([413, 400, 500]);
    expect(decided).toEqual(["{}"]);
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
    const outgoing = request(info.url, { path: HOOK, method: "POST", headers: allowed });
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
    const port = Number(new URL(second.info.url).port);
    expect(second.info.url).not.toBe(first.info.url);
    // Not one that the system may give to a connection while the daemon is away.
    expect(port).toBeGreaterThanOrEqual(20_000);
    expect(port).toBeLessThan(30_000);
    expect(readFileSync(second.place.port, "utf8")).toBe(String(port));
  });

  it.each(["EACCES", "EADDRNOTAVAIL"])("is another one where its port ends with %s", async (code) => {
    const place = daemonPlace({ XDG_STATE_HOME: temporaryFolder() });
    mkdirSync(dirname(place.port), { recursive: true });
    writeFileSync(place.port, "23456", { mode: 0o600 });
    const port = await listenAtUsualPort(
      serverThatFails(code, (one) => one === 23_456),
      place,
    );
    expect(readFileSync(place.port, "utf8")).toBe(String(port));
    expect(port).not.toBe(23_456);
  });

  it("stays written down while the system chooses a port", async () => {
    const place = daemonPlace({ XDG_STATE_HOME: temporaryFolder() });
    mkdirSync(dirname(place.port), { recursive: true });
    writeFileSync(place.port, "23456", { mode: 0o600 });
    const port = await listenAtUsualPort(
      serverThatFails("EACCES", (one) => one !== 0),
      place,
    );
    expect(port).toBeGreaterThan(0);
    expect(readFileSync(place.port, "utf8")).toBe("23456");
  });

  it("does not exist when no port can be had", async () => {
    const place = daemonPlace({ XDG_STATE_HOME: temporaryFolder() });
    await expect(
      listenAtUsualPort(
        serverThatFails("EACCES", () => true),
        place,
      ),
    ).rejects.toThrow("EACCES");
  });
});

/** A server to which the system refuses some ports. */
function serverThatFails(code: string, isRefused: (port: number) => boolean): Server {
  const server = createServer();
  const listen = server.listen.bind(server);
  vi.spyOn(server, "listen").mockImplementation((options: { port: number }, begun?: () => void) => {
    if (!isRefused(options.port)) return listen(options, begun);
    process.nextTick(() => server.emit("error", Object.assign(new Error(code), { code })));
    return server;
  });
  onTestFinished(() => void server.close());
  return server;
}
