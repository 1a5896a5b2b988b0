import { EventEmitter, once } from "node:events";
import type { ServerResponse } from "node:http";
import type { HookDefinition } from "tenterhook";
import { describe, expect, it } from "vitest";
import { HERE } from "../../support/events.ts";
import { heldTimeout } from "../support/commands.ts";
import { decided, json, nobody, serve, withHook } from "./support.ts";

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
    const { timeout, end } = heldTimeout();
    const responses = new EventEmitter<{ asked: [ServerResponse] }>();
    const server = await serve((response) => responses.emit("asked", response));
    const asked = once(responses, "asked");
    const deciding = decided(await withHook(server.url, { timeout }));
    const [response] = await asked;
    const closed = once(response, "close");
    end();
    const { action, failure } = await deciding;
    expect([action, failure]).toEqual(["deny", { kind: "timeout", message: "No answer within 600 s." }]);
    await closed;
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

  it.each<Partial<HookDefinition>>([
    { matcher: { events: ["PreToolUse", "Notification"] }, retries: 3 },
    { matcher: { events: ["Notification"] }, retries: 0 },
  ])("are not tried again with %j", async (more) => {
    const server = await serve(cutFirst);
    const hooks = await withHook(server.url, more);
    const { runs } = await hooks.fire({ ...HERE, hook_event_name: "Notification", message: "m" });
    expect([runs[0]?.failure?.kind, server.seen.length]).toEqual(["error", 1]);
  });
});
