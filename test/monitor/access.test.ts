import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { setImmediate as immediate } from "node:timers/promises";
import { Hono } from "hono";
import { describe, expect, it, onTestFinished } from "vitest";
import { TenterhookError } from "../../src/core/base/errors.ts";
import { daemonApi } from "../../src/monitor/api/api.ts";
import { monitorClient } from "../../src/monitor/client.ts";
import { closeServer, listening, serverOf } from "../../src/monitor/daemon/server.ts";
import { createMonitor } from "../../src/monitor/monitor.ts";
import { appendToSpool } from "../../src/monitor/report/spool.ts";
import { sendRequest } from "../../src/node/http.ts";
import { eventually } from "../support/processes.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { openStore } from "./support/open-store.ts";
import { testDaemon } from "./support/test-daemon.ts";

/** Sends a request with these headers; returns its status and its body. */
async function ask(url: string, path: string, headers: Readonly<Record<string, string>>, body?: Buffer) {
  return new Promise<{ status?: number | undefined; body: string }>((resolve, reject) => {
    const outgoing = request(url, { path, method: body === undefined ? "GET" : "POST", headers }, (reply) => {
      text(reply).then((content) => resolve({ status: reply.statusCode, body: content }), reject);
    });
    outgoing.on("error", reject);
    // The reply to a body that is too large comes while it is still being written.
    outgoing.on("socket", (socket) => socket.on("error", () => undefined));
    outgoing.end(body);
  });
}

/** A client that sends the beginning of a request and nothing more. */
function slowClient(url: string, beginning: string) {
  const client = connect(Number(new URL(url).port), "127.0.0.1");
  onTestFinished(() => void client.destroy());
  client.on("error", () => undefined);
  client.write(beginning);
  client.resume();
  return { client, closed: once(client, "close") };
}

describe("a server with as many slow clients as it takes", () => {
  /** Nobody is too slow before the test says so. */
  const LIMITS = { headers: 600_000, request: 600_000, look: 50, connections: 10 };

  it.each([
    ["slow headers", "GET / HTTP/1.1\r\nHost: x\r\n"],
    ["slow bodies", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nslow"],
    ["nothing at all", ""],
  ])("cuts those off that send %s, and serves the next one", async (_, beginning) => {
    const app = new Hono().all("/", async (context) => {
      await context.req.text().catch(() => "");
      return context.text("served");
    });
    const server = serverOf(app, () => undefined, LIMITS);
    const patience = (milliseconds: number): void => {
      Object.assign(server, { headersTimeout: milliseconds, requestTimeout: milliseconds });
    };
    onTestFinished(() => closeServer(server));
    await listening(server, { host: "127.0.0.1", port: 0 });
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
    const slow = Array.from({ length: LIMITS.connections }, () => slowClient(url, beginning));
    await eventually(() => expect(slow.every(({ client }) => !client.connecting)).toBe(true));
    // There is no place for it.
    const refused = await ask(url, "/", {}).catch((error: NodeJS.ErrnoException) => error.code);
    expect(refused).toBe("ECONNRESET");
    patience(1);
    await Promise.all(slow.map(({ closed }) => closed));
    patience(LIMITS.request);
    expect(await ask(url, "/", {})).toEqual({ status: 200, body: "served" });
  });
});

describe("the daemon's address", () => {
  it("answers a program of this machine that has the token", async () => {
    const { info, token } = await testDaemon();
    const reply = await ask(info.url, "/v1/agents", { authorization: `Bearer ${token}` });
    expect(reply).toEqual({ status: 200, body: '{"agents":[]}' });
  });

  it.each([
    ["no token", {}, 401],
    ["a wrong token", { authorization: `Bearer ${"0".repeat(64)}` }, 401],
    ["a foreign Host", { host: "evil.example:80" }, 403],
    ["a foreign Origin", { origin: "https://evil.example" }, 403],
    ["an Origin that only begins like ours", { origin: "http://127.0.0.1:80.evil.example" }, 403],
    ["the Origin of another name of this machine", { origin: "http://localhost:PORT" }, 403],
  ])("refuses a request with %s", async (what, headers, status) => {
    const { info, token } = await testDaemon();
    const right = what.includes("token") ? {} : { authorization: `Bearer ${token}` };
    const named = Object.entries(headers).map(([name, value]) => [
      name,
      value.replace("PORT", new URL(info.url).port),
    ]);
    const sent = { ...right, ...Object.fromEntries(named) };
    expect(await ask(info.url, "/v1/agents", sent)).toMatchObject({ status });
    expect(await ask(info.url, "/v1/agents", { authorization: `Bearer ${token}` })).toMatchObject({
      status: 200,
    });
  });

  it.each(["/../../etc/passwd", "/v1/../../token", "/v1/decisions/..%2f..%2ftoken", "/token", "/v1/stop"])(
    "has nothing at %s",
    async (path) => {
      const { info, token } = await testDaemon();
      const authorization = `Bearer ${token}`;
      expect([401, 404]).toContain((await ask(info.url, path, { authorization })).status);
    },
  );

  it("can't be used to stop the daemon", async () => {
    const { info, token } = await testDaemon();
    const headers = { authorization: `Bearer ${token}` };
    expect(await ask(info.url, "/v1/stop", headers, Buffer.from("{}"))).toMatchObject({ status: 404 });
  });

  it.each([
    ["says so", { "content-length": "100000000" }],
    ["does not say so", {}],
  ])("refuses a body of 100 MB that %s, and goes on", async (_, length) => {
    const { info, token } = await testDaemon();
    const authorization = `Bearer ${token}`;
    const outgoing = request(info.url, {
      path: "/v1/decisions/x/resolve",
      method: "POST",
      headers: { authorization, ...length },
    });
    onTestFinished(() => void outgoing.destroy());
    outgoing.on("error", () => undefined);
    const replied = once(outgoing, "response");
    let isReplied = false;
    outgoing.on("response", () => {
      isReplied = true;
    });
    for (let sent = 0; sent < 100_000_000 && !isReplied; sent += 50_000) {
      outgoing.write(Buffer.alloc(50_000, "a"));
      await immediate();
    }
    const [reply] = await replied;
    expect(reply.statusCode).toBe(413);
    outgoing.destroy();
    expect(await ask(info.url, "/v1/agents", { authorization })).toMatchObject({ status: 200 });
  });

  it("cuts off a client that does not finish its request, and serves others meanwhile", async () => {
    const { info, token } = await testDaemon();
    const { closed } = slowClient(info.url, "POST /v1/decisions/x/resolve HTTP/1.1\r\nHost: x\r\n");
    const authorization = `Bearer ${token}`;
    expect(await ask(info.url, "/v1/agents", { authorization })).toMatchObject({ status: 200 });
    await closed;
    expect(await ask(info.url, "/v1/agents", { authorization })).toMatchObject({ status: 200 });
  });

  it("takes no answer, and says where it is taken", async () => {
    const { info, token, place } = await testDaemon();
    const authorization = `Bearer ${token}`;
    const body = Buffer.from('{"choices":["a"]}');
    expect(await ask(info.url, "/v1/decisions/x/resolve", { authorization }, body)).toEqual({
      status: 403,
      body: JSON.stringify({
        error: {
          code: "not_allowed",
          message: "An answer is not taken at this address.",
          hint: `Use tenterhook answer, tenterhook dashboard, or the same request on the socket ${place.socket}.`,
        },
      }),
    });
  });

  it.each(["/v1/dashboard", "/v1/tokens", "/v1/tokens/x/revoke", "/dashboard/api/agents/x/stop"])(
    "has no %s",
    async (path) => {
      const { info, token } = await testDaemon();
      const authorization = `Bearer ${token}`;
      expect((await ask(info.url, path, { authorization }, Buffer.from("{}"))).status).toBe(
        path.startsWith("/v1/") ? 404 : 401,
      );
    },
  );
});

it("a connection to the daemon's socket serves one request, from the process that has opened it", async () => {
  const { place, token, environment } = await testDaemon();
  const client = connect(place.socket);
  onTestFinished(() => void client.destroy());
  const head = ["Host: x", `Authorization: Bearer ${token}`];
  const body = '{"choices":["allow"]}';
  const length = `Content-Length: ${body.length}`;
  const { id } = appendToSpool(
    { type: "agent:prompt", agent_id: "a", prompt_type: "permission", question: "May I?" },
    environment,
  );
  client.write(["GET /v1/decisions HTTP/1.1", ...head, "", ""].join("\r\n"));
  client.end([`POST /v1/decisions/${id}/resolve HTTP/1.1`, ...head, length, "", body].join("\r\n"));
  expect((await text(client)).match(/^HTTP\/1\.1 200/gm)).toHaveLength(1);
  expect(await monitorClient(environment).decisions("open")).toMatchObject([{ id }]);
});

it("the daemon's socket explains a choice that it can't read", async () => {
  const { place, token } = await testDaemon();
  const resolve = async (body: string) => {
    const reply = await sendRequest({
      url: new URL("http://localhost/v1/decisions/x/resolve"),
      socketPath: place.socket,
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body,
      signal: AbortSignal.timeout(60_000),
    });
    return { status: reply.statusCode, body: await text(reply) };
  };
  for (const body of ["", "not json", "[]", '{"choices":7}', '{"choices":["a"],"message":7}'])
    expect(await resolve(body)).toMatchObject({ status: 400, body: expect.stringContaining("choices") });
  expect(await resolve('{"choices":["a"]}')).toMatchObject({
    status: 404,
    body: expect.stringContaining("unknown_decision"),
  });
});

it("a daemon that is about to start names its address to nobody before it has one", async () => {
  const environment = { XDG_STATE_HOME: temporaryFolder() };
  const started = testDaemon({ environment });
  const client = monitorClient(environment);
  let first = await client.info();
  while (first === undefined) {
    await immediate();
    first = await client.info();
  }
  expect(first.url).toBe((await started).info.url);
});

it("a store that fails at every request is reported once until it works again", async () => {
  const failures: string[] = [];
  const store = await openStore();
  let isBroken = true;
  const broken = async () => Promise.reject(new TenterhookError("store_failed", "The disk is broken."));
  const agents = () => (isBroken ? broken() : store.agents());
  const { info } = await testDaemon();
  const api = daemonApi({
    monitor: createMonitor({ ...store, agents }),
    drain: async () => undefined,
    info: () => info,
    answerer: { by: "me", channel: "cli" },
    token: "t",
    mustBePerson: async () => undefined,
    onError: ({ message }) => failures.push(message),
  });
  const ask = async () => api.request("/v1/agents", { headers: { authorization: "Bearer t" } });
  const statuses = async () => {
    const replies = [await ask(), await ask()];
    return replies.map(({ status }) => status);
  };
  expect([await statuses(), failures]).toEqual([[503, 503], ["The disk is broken."]]);
  isBroken = false;
  expect(await statuses()).toEqual([200, 200]);
  isBroken = true;
  expect([await statuses(), failures.length]).toEqual([[503, 503], 2]);
});

it("a client that goes away in the middle of its request is no entry of the log", async () => {
  const log: string[] = [];
  const { info, token } = await testDaemon({ log: (line) => log.push(line) });
  const { host, port } = new URL(info.url);
  const client = connect(Number(port), "127.0.0.1");
  const head = ["POST /v1/decisions/x/resolve HTTP/1.1", `Host: ${host}`, `Authorization: Bearer ${token}`];
  client.write(
    [...head, "Transfer-Encoding: chunked", "Expect: 100-continue", "", "1", "{", ""].join("\r\n"),
  );
  await once(client, "data");
  client.destroy();
  const other = [...head, "Content-Length: 2", "", "{}"].join("\r\n");
  for (let count = 0; count < 20; count += 1) expect(await answerTo(info.url, other)).toBe("403");
  expect(log).toEqual([expect.stringContaining("listening at")]);
});

/** What the daemon's address answers to these bytes: its status, or nothing. */
async function answerTo(url: string, bytes: string): Promise<string> {
  const client = connect(Number(new URL(url).port), "127.0.0.1");
  onTestFinished(() => void client.destroy());
  client.end(bytes);
  return /^HTTP\/1\.1 (\d+)/.exec(await text(client))?.[1] ?? "nothing";
}

describe("the daemon's address refuses", () => {
  const GET = "GET /v1/info HTTP/1.1";
  const POST = "POST /v1/decisions/x/resolve HTTP/1.1";
  it.each([
    ["two lengths", [POST, "Content-Length: 2", "Content-Length: 3", "", "{}"], "400"],
    [
      "a length and chunks",
      [POST, "Content-Length: 2", "Transfer-Encoding: chunked", "", "0", "", ""],
      "400",
    ],
    ["an unknown encoding", [POST, "Transfer-Encoding: xchunked", "", "0", "", ""], "400"],
    ["a second Host", [GET, "Host: evil.com", "", ""], "403"],
    ["an Origin of null", [GET, "Origin: null", "", ""], "403"],
    ["ten thousand headers", [GET, ...Array.from({ length: 10_000 }, (_, at) => `X${at}: 1`), "", ""], "431"],
    ["a tunnel", ["CONNECT evil.com:443 HTTP/1.1", "", ""], "nothing"],
  ])("%s", async (_, [first = "", ...rest], status) => {
    const { info, token } = await testDaemon();
    const { host } = new URL(info.url);
    const lines = [first, `Host: ${host}`, `Authorization: Bearer ${token}`, ...rest];
    expect(await answerTo(info.url, lines.join("\r\n"))).toBe(status);
    expect(
      await answerTo(info.url, `${GET}\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`),
    ).toBe("200");
  });

  it.each(["localhost.evil.com", "127.0.0.1.evil.com", "evil.com"])("the Host %s", async (host) => {
    const { info, token } = await testDaemon();
    const named = `${host}:${new URL(info.url).port}`;
    expect(
      await answerTo(info.url, `${GET}\r\nHost: ${named}\r\nAuthorization: Bearer ${token}\r\n\r\n`),
    ).toBe("403");
  });
});
