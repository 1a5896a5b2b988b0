import { createHmac } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { monitorClient } from "../../src/monitor/client.ts";
import { testDaemon } from "../monitor/support/test-daemon.ts";

const DAY = 24 * 60 * 60 * 1000;

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

/** A request with exactly these headers. */
function send(
  url: URL,
  headers: Readonly<Record<string, string>> = {},
  method = "GET",
  body = "",
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, setHost: !("host" in headers), agent: false }, (reply) => {
      let text = "";
      reply.on("data", (bytes) => {
        text += String(bytes);
      });
      reply.on("end", () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: text }));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

async function opened() {
  const daemon = await testDaemon();
  const client = monitorClient(daemon.environment);
  const link = new URL(await client.dashboard());
  const at = (path: string) => new URL(path, link);
  const own = { origin: link.origin, "content-type": "application/json" };
  const exchange = (code = codeOf(link)) => send(at("/api/login"), own, "POST", JSON.stringify({ code }));
  const login = async () => {
    const { token }: { token: string } = JSON.parse((await exchange()).body);
    return { token, headers: { authorization: `Bearer ${token}` } };
  };
  const answer = (headers: Readonly<Record<string, string>>) =>
    send(at("/api/decisions/x/answer"), headers, "POST", JSON.stringify({ choices: ["1"] }));
  return { daemon, client, link, at, own, exchange, login, answer };
}

function codeOf({ hash }: URL): string {
  return new URLSearchParams(hash.slice(1)).get("login") ?? "";
}

const DATA = ["/api/overview", "/api/news", "/api/calls", "/api/hooks", "/api/replay", "/nothing"];

describe("access to the dashboard", () => {
  it("a link has its code where browsers send it to nobody, and the code counts once", async () => {
    const { link, exchange } = await opened();
    expect(link.href).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#login=[\w-]{32}$/);
    const { status, headers, body } = await exchange();
    expect([status, headers["cache-control"]]).toEqual([200, "no-store"]);
    expect(JSON.parse(body)).toEqual({ token: expect.stringMatching(/^thk_\w+_[\w-]{43}$/) });
    expect(await exchange("guessed")).toMatchObject({ status: 403, body: expect.stringContaining("older") });
    expect(await exchange("")).toMatchObject({ status: 403 });
  });

  it("a link that is used twice logs nobody in: one of the two has found it elsewhere", async () => {
    const { at, exchange, login } = await opened();
    const { headers } = await login();
    expect(await send(at("/api/overview"), headers)).toMatchObject({ status: 200 });
    expect(await exchange()).toMatchObject({ status: 403, body: expect.stringContaining("used twice") });
    expect(await send(at("/api/overview"), headers)).toMatchObject({ status: 401 });
    const { token }: { token?: string } = JSON.parse((await exchange()).body);
    expect(token).toBe(undefined);
  });

  it("of two uses at the same time neither logs in", async () => {
    const { at, exchange } = await opened();
    const replies = await Promise.all([exchange(), exchange(), exchange()]);
    for (const { status, body } of replies) {
      const { token = "" }: { token?: string } = status === 200 ? JSON.parse(body) : {};
      const headers = { authorization: `Bearer ${token}` };
      expect(await send(at("/api/overview"), headers)).toMatchObject({ status: 401 });
    }
  });

  it("a link is valid for five minutes, a login for 30 days", async () => {
    const { client, at, exchange, login } = await opened();
    const clock = vi.spyOn(Date, "now");
    onTestFinished(() => clock.mockRestore());
    const start = Date.now();
    const { headers } = await login();
    const next = codeOf(new URL(await client.dashboard()));
    clock.mockReturnValue(start + 6 * 60_000);
    expect((await exchange(next)).status).toBe(403);
    clock.mockReturnValue(start + 29 * DAY);
    expect((await send(at("/api/overview"), headers)).status).toBe(200);
    clock.mockReturnValue(start + 31 * DAY);
    expect((await send(at("/api/overview"), headers)).status).toBe(401);
    expect(await client.tokens()).toMatchObject([{ role: "page", state: "expired" }]);
    await send(
      at("/api/login"),
      {},
      "POST",
      JSON.stringify({ code: codeOf(new URL(await client.dashboard())) }),
    );
    expect(await client.tokens()).toMatchObject([{ role: "page", state: "valid" }]);
  });

  it.each(DATA)("without the token of a login, %s does not answer", async (path) => {
    const { daemon, at, login } = await opened();
    const { token } = await login();
    const forged = token.replace(/\w$/, (last) => (last === "a" ? "b" : "a"));
    for (const one of ["", forged, daemon.token, token.slice(0, -1)])
      expect(await send(at(path), { authorization: `Bearer ${one}` })).toMatchObject({ status: 401 });
    expect(await send(at(path))).toMatchObject({ status: 401 });
    expect(await send(at(`${path}?token=${token}`))).toMatchObject({ status: 401 });
  });

  it("no cookie is set, and none logs in", async () => {
    const { at, own, login, answer, exchange } = await opened();
    const { token } = await login();
    const replies = [await send(at("/api/overview")), await exchange("x")];
    for (const { headers } of replies) expect(headers["set-cookie"]).toBe(undefined);
    for (const cookie of [`tenterhook-token=${token}`, `authorization=Bearer ${token}`])
      expect(await answer({ ...own, cookie })).toMatchObject({ status: 401 });
  });

  it("what the daemon's files contain opens nothing, also when the sender has hung up", async () => {
    const { daemon, link, own, at, login } = await opened();
    const { token } = await login();
    const files = readdirSync(daemon.place.folder).map((name) => join(daemon.place.folder, name));
    const secrets = new Set<string>();
    for (const file of files.filter((one) => statSync(one).isFile())) {
      expect([file, (statSync(file).mode & 0o077).toString(8)]).toEqual([file, "0"]);
      const content = readFileSync(file, "latin1");
      expect(content.includes(token)).toBe(false);
      for (const [secret] of content.matchAll(/[\w-]{40,200}/g)) secrets.add(secret);
    }
    expect(secrets).toContain(daemon.token);
    for (const secret of secrets) {
      const reply = await send(at("/api/overview"), { ...own, authorization: `Bearer ${secret}` });
      expect(reply.status).toBe(401);
    }
    // A login was signed with the daemon's token once, and somebody who had gone counted as a person.
    const cookie = signedCookie(daemon.token);
    const body = '{"choices":["1"]}';
    const head = ["POST /api/decisions/x/answer HTTP/1.1", `Host: ${link.host}`, `Origin: ${link.origin}`];
    const more = [`Cookie: ${cookie}`, `Content-Length: ${body.length}`, "", body];
    const sender = connect(Number(link.port), "127.0.0.1");
    onTestFinished(() => void sender.destroy());
    sender.end([...head, ...more].join("\r\n"));
    expect(await text(sender)).toMatch(/^HTTP\/1\.1 401/);
  });

  it("with a login it answers, also after the daemon was started again", async () => {
    const { daemon, at, login } = await opened();
    const { headers } = await login();
    expect(await send(at("/api/overview"), headers)).toMatchObject({ status: 200 });
    await daemon.close();
    const next = await testDaemon({ environment: daemon.environment });
    expect(next.info.url).toBe(daemon.info.url);
    expect(await send(at("/api/overview"), headers)).toMatchObject({ status: 200 });
  });

  it("a login that is revoked ends", async () => {
    const { client, at, login } = await opened();
    const { headers } = await login();
    const [{ id } = { id: "" }, ...others] = await client.tokens();
    expect(others).toEqual([]);
    await client.revokeToken(id);
    expect(await send(at("/api/overview"), headers)).toMatchObject({ status: 401 });
  });

  it("a foreign Host and a foreign Origin are refused, with a login too", async () => {
    const { at, own, login, answer } = await opened();
    const { headers } = await login();
    const { host, origin, port } = at("/");
    for (const one of ["evil.example", `evil.example:${port}`, "127.0.0.1", `127.0.0.1.evil.example:${port}`])
      expect(await send(at("/api/overview"), { ...headers, host: one })).toMatchObject({ status: 403 });
    const strange = ["http://evil.example", "http://127.0.0.1:1", `http://localhost:${port}`, "null"];
    for (const one of [...strange, `https://${host}`])
      expect(await answer({ ...headers, origin: one })).toMatchObject({ status: 403 });
    expect(await answer({ ...headers, ...own, origin })).toMatchObject({
      status: 200,
      body: expect.stringContaining("late"),
    });
  });

  it("another page is not told that it may send a token", async () => {
    const { at } = await opened();
    const headers = {
      origin: "http://127.0.0.1:1",
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization",
    };
    const reply = await send(at("/api/decisions/x/answer"), headers, "OPTIONS");
    expect(reply.status).toBe(405);
    expect(Object.keys(reply.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  it("a GET logs nobody in and changes nothing", async () => {
    const { at, link, login } = await opened();
    for (const path of [`/api/login?code=${codeOf(link)}`, `/login?code=${codeOf(link)}`])
      expect(await send(at(path))).toMatchObject({ status: 401 });
    const { headers } = await login();
    for (const path of ["/api/login", "/api/decisions/x/answer", "/api/agents/x/stop", "/api/hooks/save"])
      expect(await send(at(path), headers)).toMatchObject({ status: 404 });
  });

  it.each(["HEAD", "PUT", "DELETE"])("%s is no request", async (method) => {
    const { at, login } = await opened();
    const { headers } = await login();
    for (const path of ["/", "/api/news", "/api/decisions/x/answer"])
      expect((await send(at(path), headers, method)).status).toBe(405);
  });

  it("a content security policy allows nothing inline, nothing from elsewhere and no frame", async () => {
    const { at, login } = await opened();
    const { headers } = await send(at("/api/overview"), (await login()).headers);
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|data:|\*/);
    expect(headers["referrer-policy"]).toBe("no-referrer");
    expect(headers["x-content-type-options"]).toBe("nosniff");
  });

  it("an agent is given no link", async () => {
    const why = "claude is process 7.";
    const { environment } = await testDaemon({ whoAnswers: async () => ({ is: "refused", why }) });
    await expect(monitorClient(environment).dashboard()).rejects.toMatchObject({ code: "not_a_person" });
  });

  it("no path leads out of the folder of the page", async () => {
    const { at, login } = await opened();
    const { headers } = await login();
    for (const path of ["/assets/..%2f..%2fpackage.json", "/assets/%2e%2e/index.html", "/nothing"])
      expect((await send(at(path), headers)).status).toBe(404);
  });
});

/** A cookie as it was made before tokens: by whoever could read the daemon's token. */
function signedCookie(secret: string): string {
  const signed = (about: string) =>
    createHmac("sha256", secret).update(`dashboard session ${about}`).digest("base64url");
  const session = `${Date.now() + DAY}.AAAAAAAAAAAAAAAA`;
  const name = `tenterhook_${signed("name").replaceAll(/\W/g, "").slice(0, 8)}`;
  return `${name}=${session}.${signed(session)}`;
}
