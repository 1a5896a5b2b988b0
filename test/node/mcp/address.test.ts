import { describe, expect, it, onTestFinished } from "vitest";
import { startHttpServer } from "../../support/mcp-servers/http.ts";
import { eventually } from "../../support/processes.ts";
import { clientOf, failureOf, options, textOf } from "./support.ts";

type Before = Parameters<typeof startHttpServer>[0];

async function serverThat(before?: Before) {
  const server = await startHttpServer(before);
  onTestFinished(() => server.close());
  return server;
}

/** Answers calls of tools by itself, and nothing else. */
function callsOnly(answer: (response: Parameters<NonNullable<Before>>[1], id: unknown) => void): Before {
  return (body, response) => {
    const message = body === "" ? {} : JSON.parse(body);
    if (message.method !== "tools/call") return false;
    answer(response, message.id);
    return true;
  };
}

describe("a server at an address", () => {
  it("is asked with its headers, on one session, which ends with the client", async () => {
    const server = await serverThat();
    const environment = { ...process.env, DOCS_TOKEN: "t0ken" };
    const client = clientOf(
      { url: server.url, headers: { Authorization: "Bearer ${DOCS_TOKEN}" } },
      { environment },
    );
    expect(await textOf(client, "echo", { a: [1, null] })).toBe('{"a":[1,null]}');
    expect((await client.listTools(options)).map(({ name }) => name)).toContain("reply");
    expect(server.sessions.size).toBe(1);
    await client.close();
    await eventually(() => expect(server.sessions.size).toBe(0));
    expect(new Set(server.requests.map(({ method }) => method))).toEqual(new Set(["POST", "DELETE"]));
    expect(new Set(server.requests.map(({ authorization }) => authorization))).toEqual(
      new Set(["Bearer t0ken"]),
    );
  });

  it("that lost the session is greeted anew at the next call", async () => {
    const server = await serverThat();
    const client = clientOf({ url: server.url });
    await textOf(client, "pid");
    server.sessions.clear();
    expect(await failureOf(client.callTool("pid", {}, options))).toEqual([
      "error",
      'The MCP server "box" has ended our session.',
    ]);
    expect(await textOf(client, "reply", { text: "back" })).toBe("back");
  });

  it("that nobody is at is missing", async () => {
    const server = await startHttpServer();
    await server.close();
    const [kind, message] = await failureOf(clientOf({ url: server.url }).callTool("pid", {}, options));
    expect([kind, message]).toEqual(["missing", 'The MCP server "box" failed: fetch failed (ECONNREFUSED).']);
  });

  it("that is gone between two calls is missing, and found again", async () => {
    let refuse = false;
    const server = await serverThat((_body, response) => {
      if (refuse) response.destroy();
      return refuse;
    });
    const client = clientOf({ url: server.url });
    await textOf(client, "pid");
    refuse = true;
    expect((await failureOf(client.callTool("pid", {}, options)))[0]).toBe("error");
    refuse = false;
    expect(await textOf(client, "reply", { text: "back" })).toBe("back");
  });

  it.each<readonly [string, string, string | RegExp, Before]>([
    [
      "says 500",
      "error",
      /^The MCP server "box" failed: Streamable HTTP error: Error POSTing to endpoint: Oh no\.$/,
      callsOnly((response) => response.writeHead(500).end("Oh no")),
    ],
    [
      "redirects elsewhere",
      "error",
      /^The MCP server "box" failed: .*redirect/i,
      callsOnly((response) => response.writeHead(307, { location: "http://127.0.0.2:1/x" }).end()),
    ],
    [
      "answers text",
      "error",
      /Unexpected content type: text\/plain/,
      callsOnly((response) => response.writeHead(200, { "content-type": "text/plain" }).end("hello")),
    ],
    [
      "answers what is no JSON",
      "error",
      /^The MCP server "box" failed: /,
      callsOnly((response) => response.writeHead(200, { "content-type": "application/json" }).end("{")),
    ],
    [
      "answers what is no result",
      "bad_output",
      'The MCP server "box" answered what is no MCP result.',
      callsOnly((response, id) =>
        response
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify({ jsonrpc: "2.0", id, result: { content: 7 } })),
      ),
    ],
    [
      "ends its stream without an answer",
      "error",
      'The MCP server "box" broke off before it answered.',
      callsOnly((response) =>
        response.writeHead(200, { "content-type": "text/event-stream" }).end(": nothing\n\n"),
      ),
    ],
    [
      "sends a stream without end",
      "bad_output",
      'The MCP server "box" sent more than 4000000 bytes.',
      callsOnly((response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        const more = (): void => {
          while (!response.destroyed && response.write(`: ${"x".repeat(100_000)}\n`));
          if (!response.destroyed) response.once("drain", more);
        };
        more();
      }),
    ],
  ])("that %s is a failure", async (_title, kind, message, before) => {
    const server = await serverThat(before);
    const failure = await failureOf(clientOf({ url: server.url }).callTool("pid", {}, options));
    expect(failure).toEqual([kind, typeof message === "string" ? message : expect.stringMatching(message)]);
  });

  it("that is slow is left when the time is over, and its connection is cut", async () => {
    let cut = false;
    const server = await serverThat(
      callsOnly((response) => {
        response.on("close", () => {
          cut = true;
        });
      }),
    );
    const client = clientOf({ url: server.url });
    const slow = client.callTool("pid", {}, { ...options, milliseconds: 1000 });
    expect(await failureOf(slow)).toEqual(["timeout", 'The MCP server "box" did not answer in time.']);
    await eventually(() => expect(cut).toBe(true));
  });
});
