import { createHmac } from "node:crypto";
import { createServer } from "node:net";
import { rewrite } from "tenterhook";
import { describe, expect, it, vi } from "vitest";
import { bashCall, HERE } from "../../support/events.ts";
import { json, serve, serveRaw, withHook } from "./support.ts";

/** What a hook set says to a shell call: the action and how the hook failed. */
async function decided(hooks: Awaited<ReturnType<typeof withHook>>) {
  const { action, reason, runs } = await hooks.fire(bashCall());
  return { action, reason, failure: runs[0]?.failure };
}

describe("an http hook", () => {
  it("posts the event and does what the reply says", async () => {
    const server = await serve(json({ decision: "block", reason: "not here" }));
    const hooks = await withHook(server.url);
    expect(await decided(hooks)).toEqual({ action: "deny", reason: "not here", failure: undefined });
    expect(server.seen).toMatchObject([
      { method: "POST", headers: { "content-type": "application/json", "user-agent": "tenterhook" } },
    ]);
    expect(JSON.parse(server.seen[0]?.body ?? "")).toMatchObject({
      ...bashCall(),
      seq: 1,
      host: "tenterhook",
    });
  });

  it("with payload: native posts what the agent sent, with the input that other hooks wrote", async () => {
    const server = await serve(json({}));
    const hooks = await withHook(server.url, { payload: "native" });
    const native = { ...bashCall(), prompt_id: "p1" };
    const payload = `${JSON.stringify(native, null, 1)}\n`;
    const event = { ...native, host: "claude", native };
    await hooks.fire(event, { payload });
    hooks.on("PreToolUse", { priority: 1, recheck: false }, () => rewrite({ command: "pwd" }));
    await hooks.fire(event, { payload });
    const [first, second] = server.seen.map(({ body }) => body);
    expect(first).toBe(payload.trimEnd());
    expect(JSON.parse(second ?? "")).toEqual({ ...native, tool_input: { command: "pwd" } });
  });

  it("with payload: native reads the reply as Claude Code does", async () => {
    const replies = [{ received: true }, { decision: "block", reason: "not here", more: 1 }];
    const server = await serve((response, number) => response.end(JSON.stringify(replies[number - 1])));
    const hooks = await withHook(server.url, { payload: "native" });
    const native = { hook_event_name: "PreToolUse", tool_input: { command: "ls" }, of_the_agent: true };
    const fire = () => hooks.fire(bashCall("ls", { native }));
    expect(await fire()).toMatchObject({ action: "continue", user_messages: [] });
    expect(await fire()).toMatchObject({ action: "deny", reason: "not here" });
  });

  it.each([204, 200])("that is answered with %i and nothing has no opinion", async (status) => {
    const server = await serve((response) => response.writeHead(status).end());
    expect(await decided(await withHook(server.url))).toEqual({
      action: "continue",
      reason: undefined,
      failure: undefined,
    });
  });

  const HEAD = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
  it.each([
    "HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n",
    `${HEAD}\r\n`,
    `${HEAD}\r\n \n`,
    `${HEAD}Transfer-Encoding: chunked\r\n\r\n`,
    `${HEAD}Content-Length: 30\r\n\r\n`,
  ])("takes an answer that ends before it has begun for no opinion of anybody: %j", async (answer) => {
    const url = await serveRaw(answer);
    const cut = "The connection was cut in the middle of the answer.";
    expect((await decided(await withHook(url))).failure).toEqual({ kind: "error", message: cut });
  });

  it.each(["Content-Length: 0\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"])(
    "takes nothing for an answer where the server says that this is all: %j",
    async (end) => {
      const url = await serveRaw(HEAD + end);
      expect(await decided(await withHook(url))).toMatchObject({ action: "continue", failure: undefined });
    },
  );

  it("fails when the server changes to another protocol, and can be closed", async () => {
    const url = await serveRaw(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
    );
    const hooks = await withHook(url);
    expect((await decided(hooks)).failure).toEqual({
      kind: "error",
      message: "It answered 101 Switching Protocols.",
    });
    await hooks.close();
  });

  it("uses one connection for request after request, also at the same time as many as needed", async () => {
    const server = await serve(json({}));
    const hooks = await withHook(server.url);
    for (let time = 0; time < 5; time += 1) await hooks.fire(bashCall());
    expect([server.seen.length, server.connections.length]).toEqual([5, 1]);
    await Promise.all([hooks.fire(bashCall()), hooks.fire(bashCall())]);
    expect([server.seen.length, server.connections.length]).toEqual([7, 2]);
  });

  it("makes a new connection when the server has closed the one kept open", async () => {
    const server = await serve((response, number) => {
      if (number === 2) response.socket?.destroy();
      else json({ ok: true })(response, number);
    });
    const hooks = await withHook(server.url);
    await hooks.fire(bashCall());
    expect(await decided(hooks)).toMatchObject({ action: "continue", failure: undefined });
    expect([server.seen.length, server.connections.length]).toEqual([3, 2]);
  });

  it("lets a run under way answer before it is closed", async () => {
    let release = (): void => {};
    const asked = new Promise<void>((resolve) => {
      release = resolve;
    });
    const server = await serve((response) => {
      release();
      setTimeout(() => json({ ok: false, reason: "no" })(response, 1), 30);
    });
    const hooks = await withHook(server.url);
    const deciding = hooks.fire(bashCall());
    await asked;
    await hooks.close();
    expect(await deciding).toMatchObject({ action: "deny", reason: "no" });
  });
});

describe("an http hook fails closed", () => {
  it.each<[string, Parameters<typeof serve>[0], string, string | RegExp]>([
    [
      "by a status that is no success",
      (response) => response.writeHead(500).end('{"decision":"approve"}'),
      "error",
      "It answered 500 Internal Server Error.",
    ],
    [
      "by a redirect, which it does not follow",
      (response) => response.writeHead(302, { location: "/elsewhere" }).end(),
      "error",
      "It answered 302; redirects are not followed, so url must be the address it leads to.",
    ],
    [
      "by another type",
      (response) => response.writeHead(200, { "content-type": "text/plain" }).end('{"ok":true}'),
      "bad_output",
      "Its answer must be application/json in UTF-8, not text/plain.",
    ],
    [
      "by another encoding",
      (response) =>
        response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end("x"),
      "bad_output",
      "Its answer must be application/json in UTF-8, not application/json, gzip.",
    ],
    [
      "by text that claims to be JSON",
      (response) => response.writeHead(200, { "content-type": "application/json" }).end("fine"),
      "bad_output",
      "The reply is not a JSON object. Print nothing else, and escape the strings in it.",
    ],
    [
      "by bytes that are no text",
      (response) =>
        response.writeHead(200, { "content-type": "application/json" }).end(Buffer.of(0x7b, 0xff, 0x7d)),
      "bad_output",
      "The reply is not valid UTF-8.",
    ],
    [
      "by a connection that is cut before the answer",
      (response) => response.socket?.destroy(),
      "error",
      /^The connection to http:\/\/127.0.0.1:\d+ failed \(ECONNRESET\)\.$/,
    ],
    [
      "by a connection that is cut in the answer",
      (response) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": 100 });
        response.write('{"ok":', () => response.socket?.destroy());
      },
      "error",
      "The connection was cut in the middle of the answer.",
    ],
    [
      "by an answer without end",
      (response) => {
        response.writeHead(200, { "content-type": "application/json" });
        const more = (): void => {
          while (!response.destroyed && response.write(" ".repeat(65_536)));
        };
        response.on("drain", more);
        more();
      },
      "bad_output",
      "The answer has more than 1 MB.",
    ],
  ])("%s", async (_, answer, kind, message) => {
    const server = await serve(answer);
    const { action, failure } = await decided(await withHook(server.url));
    expect([action, failure]).toEqual([
      "deny",
      { kind, message: typeof message === "string" ? message : expect.stringMatching(message) },
    ]);
    expect(server.seen.length).toBe(1);
  });

  it("by an answer that does not come in time, and ends the request", async () => {
    let closed = (): void => {};
    const ended = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const server = await serve((response) => response.on("close", closed));
    const { action, failure } = await decided(await withHook(server.url, { timeout: 0.1 }));
    expect([action, failure]).toEqual(["deny", { kind: "timeout", message: "No answer within 0.1 s." }]);
    await ended;
    expect(server.connections[0]?.destroyed).toBe(true);
  });

  it("by a server that is not there", async () => {
    const url = await nobody();
    const { action, failure } = await decided(await withHook(`${url}/?key=s3cret`));
    expect([action, failure]).toEqual([
      "deny",
      { kind: "missing", message: `No server answers at ${url} (ECONNREFUSED).` },
    ]);
  });
});

describe("connection errors", () => {
  const cutFirst: Parameters<typeof serve>[0] = (response, number) => {
    if (number === 1) response.socket?.destroy();
    else json({ systemMessage: "heard" })(response, number);
  };

  it("are tried again where nothing is gated", async () => {
    const server = await serve(cutFirst);
    const hooks = await withHook(server.url, { matcher: { events: ["PostToolUse", "Notification"] } });
    const decision = await hooks.fire({ ...HERE, hook_event_name: "Notification", message: "m" });
    expect(decision).toMatchObject({ user_messages: [{ text: "heard" }], runs: [{ name: "remote" }] });
    expect(server.seen.length).toBe(2);
  });

  it.each([
    { matcher: { events: ["PreToolUse", "Notification"] }, retries: 3 },
    { matcher: { events: ["Notification"] }, retries: 0 },
  ])("are not tried again with %j", async (more) => {
    const server = await serve(cutFirst);
    const hooks = await withHook(server.url, more);
    const { runs } = await hooks.fire({ ...HERE, hook_event_name: "Notification", message: "m" });
    expect([runs[0]?.failure?.kind, server.seen.length]).toEqual(["error", 1]);
  });
});

describe("keys", () => {
  it("keys sign the request so that the server can check it", async () => {
    vi.stubEnv("TEST_HOOK_KEY", "shared-key");
    const server = await serve(json({}));
    const hooks = await withHook(server.url, { secret_env: "TEST_HOOK_KEY" });
    const before = Math.floor(Date.now() / 1000);
    await hooks.fire(bashCall());
    const [seen] = server.seen;
    const [, seconds, given] =
      /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(seen?.headers["x-tenterhook-signature"])) ?? [];
    const expected = createHmac("sha256", "shared-key").update(`${seconds}.${seen?.body}`).digest("hex");
    expect(given).toBe(expected);
    expect(Number(seconds)).toBeGreaterThanOrEqual(before);
  });

  it("come into headers from listed variables", async () => {
    vi.stubEnv("TEST_HOOK_TOKEN", "t0ken");
    const server = await serve(json({}));
    const headers = { Authorization: `Bearer \${TEST_HOOK_TOKEN}`, "X-Team": "a$b" };
    const hooks = await withHook(server.url, { headers, env: ["TEST_HOOK_TOKEN"] });
    await hooks.fire(bashCall());
    expect(server.seen[0]?.headers).toMatchObject({ authorization: "Bearer t0ken", "x-team": "a$b" });
  });

  it("that are not set are told when the hook is added and fail it as missing", async () => {
    const server = await serve(json({}));
    const hooks = await withHook(server.url, {
      headers: { "X-A": `\${TEST_HOOK_UNSET}` },
      env: ["TEST_HOOK_UNSET"],
    });
    expect(hooks.list()).toMatchObject([{ problem: "The variable TEST_HOOK_UNSET is not set." }]);
    expect(await decided(hooks)).toMatchObject({
      action: "deny",
      failure: { kind: "missing", message: "The variable TEST_HOOK_UNSET is not set." },
    });
    expect(server.seen).toEqual([]);
  });

  it("keys never appear in a message", async () => {
    vi.stubEnv("TEST_HOOK_BROKEN", "s3cret\nInjected: yes");
    vi.stubEnv("TEST_HOOK_TOKEN", "s3cret");
    const env = ["TEST_HOOK_BROKEN", "TEST_HOOK_TOKEN"];
    const server = await serve((response) => response.writeHead(500).end());
    const failing = [
      await withHook(server.url, { env, headers: { "X-A": `\${TEST_HOOK_BROKEN}` } }),
      await withHook(server.url, {
        env,
        headers: { "X-A": `\${TEST_HOOK_TOKEN}` },
        secret_env: "TEST_HOOK_TOKEN",
      }),
      await withHook(`${await nobody()}/?key=s3cret`, { env, headers: { "X-A": `\${TEST_HOOK_TOKEN}` } }),
    ];
    for (const hooks of failing) {
      const decision = await hooks.fire(bashCall());
      expect(decision.action).toBe("deny");
      expect(JSON.stringify(decision)).not.toContain("s3cret");
    }
  });
});

describe("a definition that can't work is refused when it is added", () => {
  it.each<[object, string]>([
    [{ url: "ftp://host/" }, "url must be an address that begins with http:// or https://."],
    [{ url: "hook" }, "url must be an address that begins with http:// or https://."],
    [{ url: "http://user:pass@host/" }, "url must not hold a user or a password."],
    [{ url: 7 }, "url is 7; it must be a non-empty string."],
    [{ retries: -1 }, "retries is -1; it must be a whole number from 0 to 10."],
    [
      { retries: 11, matcher: { events: ["Stop"] } },
      "retries is 11; it must be a whole number from 0 to 10.",
    ],
    [{ headers: { "X-A": 7 } }, "headers.X-A is 7; it must be a string."],
    [{ headers: { "a b": "c" } }, '"a b" in headers is not the name of a header.'],
    [{ headers: { "Content-Length": "1" } }, '"Content-Length" in headers is set by the request itself.'],
    [
      { headers: { "X-A": `\${HOOK_TOKEN}` }, env: ["HOOK_TOKENS"] },
      `the header X-A names \${HOOK_TOKEN}, which env does not list. Did you mean "HOOK_TOKENS"?`,
    ],
  ])("%j", async (more, message) => {
    await expect(withHook("http://127.0.0.1/", more)).rejects.toMatchObject({
      code: "invalid_option",
      message: `Hook "remote": ${message}`,
    });
  });
});

/** An address nobody listens at. */
async function nobody(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}
