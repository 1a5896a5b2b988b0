import { rewrite } from "tenterhook";
import { describe, expect, it } from "vitest";
import { bashCall } from "../../support/events.ts";
import { decided, json, serve, serveRaw, withHook } from "./support.ts";

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
