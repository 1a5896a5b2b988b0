import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { monitorClient } from "../../src/monitor/client.ts";
import { testDaemon } from "../monitor/support/test-daemon.ts";

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
  const link = new URL(await monitorClient(daemon.environment).dashboard());
  const at = (path: string) => new URL(path, link);
  const login = async () => {
    const { headers } = await send(link);
    return { cookie: String([headers["set-cookie"]].flat()[0]).split(";")[0] ?? "" };
  };
  return { daemon, link, at, login };
}

const PATHS = [
  "/",
  "/inbox",
  "/api/overview",
  "/api/news",
  "/api/calls",
  "/api/hooks",
  "/assets/index.js",
  "/favicon.svg",
];

describe("access to the dashboard", () => {
  it("a link logs in once, and its code does not stay in the address", async () => {
    const { link, at } = await opened();
    const first = await send(link);
    expect(first).toMatchObject({ status: 303, headers: { location: "/", "cache-control": "no-store" } });
    expect(first.headers["set-cookie"]).toEqual([
      expect.stringMatching(/^tenterhook_\w{8}=[^;]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/),
    ]);
    const second = await send(link);
    expect(second).toMatchObject({ status: 401, body: expect.stringContaining("was used before") });
    expect(second.headers["set-cookie"]).toBe(undefined);
    expect(await send(at("/login?code=guessed"))).toMatchObject({ status: 401 });
    expect(await send(at("/login"))).toMatchObject({ status: 401 });
  });

  it.each(PATHS)("without a login, %s does not answer", async (path) => {
    const { at, login } = await opened();
    const { cookie } = await login();
    const forged = cookie.replace(/\w$/, (last) => (last === "a" ? "b" : "a"));
    const later = cookie.replace(/=\d/, (digits) => `${digits}9`);
    for (const headers of [{}, { cookie: forged }, { cookie: later }, { cookie: cookie.replace(/=.*/, "=") }])
      expect(await send(at(path), headers)).toMatchObject({ status: 401 });
  });

  it("with a login, it answers; other daemons with the same token accept the session, too", async () => {
    const { daemon, at, login } = await opened();
    const { cookie } = await login();
    expect(await send(at("/api/overview"), { cookie })).toMatchObject({ status: 200 });
    await daemon.close();
    const next = await testDaemon({ environment: daemon.environment });
    expect(next.info.url).toBe(daemon.info.url);
    expect(await send(at("/api/overview"), { cookie })).toMatchObject({ status: 200 });
  });

  it("a foreign Host and a foreign Origin are refused, with a login too", async () => {
    const { at, login } = await opened();
    const { cookie } = await login();
    const { host, origin } = at("/");
    expect(await send(at("/api/overview"), { cookie, host: "evil.example" })).toMatchObject({ status: 403 });
    expect(await send(at("/api/overview"), { cookie, host, origin: "http://evil.example" })).toMatchObject({
      status: 403,
    });
    expect(await send(at("/api/overview"), { cookie, "sec-fetch-site": "same-site" })).toMatchObject({
      status: 403,
    });
    const answer = at("/api/decisions/x/answer");
    const body = JSON.stringify({ choices: ["1"] });
    expect(await send(answer, { cookie }, "POST", body)).toMatchObject({ status: 403 });
    expect(await send(answer, { cookie, origin: "http://127.0.0.1:1" }, "POST", body)).toMatchObject({
      status: 403,
    });
    expect(await send(answer, { cookie, origin }, "POST", body)).toMatchObject({
      status: 200,
      body: expect.stringContaining("late"),
    });
  });

  it("a content security policy allows nothing inline and nothing from elsewhere", async () => {
    const { at, login } = await opened();
    const { headers } = await send(at("/api/overview"), await login());
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|data:|\*/);
    expect(headers["x-content-type-options"]).toBe("nosniff");
  });

  it("an agent is given no link, and its answers are refused", async () => {
    const daemon = await testDaemon();
    const link = await monitorClient(daemon.environment).dashboard();
    await daemon.close();
    const why = "claude is process 7.";
    const { environment } = daemon;
    const agents = await testDaemon({ environment, whoAnswers: async () => ({ is: "refused", why }) });
    await expect(monitorClient(environment).dashboard()).rejects.toMatchObject({ code: "not_a_person" });
    // Not even with a login that a person had.
    expect(await send(new URL(link))).toMatchObject({ status: 401 });
    expect(agents.info.url).toBe(new URL(link).origin);
  });

  it("no path leads out of the folder of the page", async () => {
    const { at, login } = await opened();
    const headers = await login();
    for (const path of ["/assets/..%2f..%2fpackage.json", "/assets/%2e%2e/index.html", "/nothing"])
      expect((await send(at(path), headers)).status).toBe(404);
  });
});
