import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { isPublicAddress } from "../../../src/agent/tools/web/addresses.ts";
import { webFetchTool } from "../../../src/agent/tools/web/web-fetch.ts";
import { workspace } from "./support/workspace.ts";

const local = webFetchTool({ allow_private_addresses: true });

/** A server on this machine; answers its address. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

/** A server that answers everything the same way. */
const answer = (body: string | Buffer, headers: Record<string, string> = {}, status = 200) =>
  serve((_, response) => response.writeHead(status, { "content-type": "text/plain", ...headers }).end(body));

describe("WebFetch", () => {
  it("answers with the text of a page", async () => {
    const url = await answer("<title>Hi &amp; bye</title><h1>Head</h1><p>Text <a href='/x'>link</a>", {
      "content-type": "text/html; charset=utf-8",
    });
    const { run } = workspace();
    expect(await run(local, { url })).toEqual({
      content: `${url}/ (200)\nHi & bye\n\n# Head\n\nText [link](${url}/x)`,
    });
  });

  it.each([
    ["JSON as it is", Buffer.from('{"a":1}'), { "content-type": "application/vnd.x+json" }, '{"a":1}'],
    ["packed content", gzipSync("unpacked"), { "content-encoding": "gzip" }, "unpacked"],
    [
      "content packed in a way nobody knows as it is",
      Buffer.from("x"),
      { "content-encoding": "constructor" },
      "x",
    ],
    [
      "other encodings",
      Buffer.from("caf\xe9", "latin1"),
      { "content-type": "text/plain; charset=iso-8859-1" },
      "café",
    ],
    [
      "an encoding named in the page",
      Buffer.from('<meta charset="latin1">\xe9', "latin1"),
      { "content-type": "text/html" },
      "é",
    ],
  ])("reads %s", async (_, body, headers, text) => {
    const { run } = workspace();
    const url = await answer(body, headers);
    expect(await run(local, { url })).toEqual({ content: `${url}/ (200)\n\n${text}` });
  });

  it("says what can't be read, and what failed", async () => {
    const { run, outputOf } = workspace();
    const image = await answer(Buffer.from([1, 2]), { "content-type": "image/png" });
    expect(await outputOf(local, { url: image })).toBe(
      `${image}/ is image/png (2 bytes), not text that can be read.`,
    );
    const missing = await answer("not here", {}, 404);
    expect(await run(local, { url: missing })).toMatchObject({
      content: `${missing}/ (404)\n\nnot here`,
      is_error: true,
    });
    const unreadable = await answer("<constructor>x", { "content-type": "text/html" });
    expect(await outputOf(local, { url: unreadable })).toContain(
      `The HTML of ${unreadable}/ can't be read: `,
    );
    expect(await outputOf(local, { url: await answer("x", { "content-encoding": "gzip" }) })).toContain(
      "could not be reached",
    );
    expect(await outputOf(local, { url: "http://127.0.0.1:1/" })).toContain(
      "127.0.0.1:1 could not be reached",
    );
  });

  it("cuts what is long, and reads no more than it may", async () => {
    const { outputOf } = workspace();
    const long = await outputOf(local, { url: await answer("é".repeat(100_001)) });
    expect(long).toMatch(/é\n\n\(cut after 100000 characters\)$/);
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024, "a"));
    expect(await outputOf(local, { url: await answer(bomb, { "content-encoding": "gzip" }) })).toContain(
      "only the first 5242880 bytes were read",
    );
    const page = `<p>${"word ".repeat(10)}</p>`.repeat(10_000);
    expect(await outputOf(local, { url: await answer(page, { "content-type": "text/html" }) })).toMatch(
      /only the first 500000 characters of its HTML were read\)$/,
    );
    const endless = await serve((_, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      const more = () => response.write("x".repeat(65_536), (error) => error ?? more());
      more();
    });
    expect(await outputOf(local, { url: endless })).toContain("only the first 5242880 bytes were read");
  });

  it("follows redirects on the same host and tells of those to another", async () => {
    const { run, outputOf } = workspace();
    const url = await serve((request, response) => {
      const to: Record<string, string> = {
        "/a": "/b",
        "/loop": "/loop",
        "/away": "http://example.com/secret",
        "/login": "http://user:pass@127.0.0.1/",
        "/file": "file:///etc/passwd",
      };
      const location = to[request.url ?? ""];
      if (location === undefined) response.end(`here ${request.url}`);
      else response.writeHead(302, { location }).end();
    });
    expect(await run(local, { url: `${url}/a` })).toEqual({ content: `${url}/b (200)\n\nhere /b` });
    expect(await outputOf(local, { url: `${url}/loop` })).toBe(`${url}/loop redirects more than 5 times.`);
    expect(await run(local, { url: `${url}/away` })).toEqual({
      content: `${url}/away redirects to another host: http://example.com/secret\nFetch that address if you want what is there.`,
    });
    expect(await outputOf(local, { url: `${url}/file` })).toContain(
      "redirects to another host: file:///etc/passwd",
    );
    expect(await outputOf(local, { url: `${url}/login` })).toContain("redirects to another host");
  });

  it("ends when the time is over or the call is cancelled", async () => {
    const url = await serve(() => {});
    const { outputOf, context } = workspace();
    const hasty = webFetchTool({ allow_private_addresses: true, timeout_seconds: 0.05 });
    expect(await outputOf(hasty, { url })).toBe(`${url.slice(7)} did not answer within 0.05 s.`);
    const controller = new AbortController();
    const call = local.run({ url }, { ...context, signal: controller.signal });
    controller.abort(new Error("interrupted"));
    await expect(call).rejects.toThrow("interrupted");
  });
});

describe("WebFetch refuses", () => {
  it.each([
    ["no address", "example", "example is no address; give one with http:// or https://."],
    ["other protocols", "file:///etc/passwd", "file: addresses can't be fetched; only http: and https: can."],
    [
      "credentials",
      "https://user:secret@example.com/",
      "The address holds a user name or password; credentials are not sent. Leave them out.",
    ],
  ])("%s", async (_, url, message) => {
    const { outputOf } = workspace();
    expect(await outputOf(webFetchTool(), { url })).toBe(message);
  });

  it.each([
    "127.0.0.1",
    "localhost",
    "[::1]",
    "0x7f.1",
    "2130706433",
    "[::ffff:7f00:1]",
    "169.254.169.254",
    "0.0.0.0",
  ])("this machine and its neighbours: %s", async (host) => {
    let asked = false;
    const url = await serve((_, response) => {
      asked = true;
      response.end();
    });
    const { outputOf } = workspace();
    const message = await outputOf(webFetchTool(), { url: `http://${host}:${new URL(url).port}/` });
    expect(message).toContain("is on this machine or a private network, which is not fetched from.");
    expect(asked).toBe(false);
  });

  it("addresses that are not public, and no others", () => {
    const not = [
      "10.1.2.3",
      "172.31.0.1",
      "192.168.1.1",
      "100.100.0.1",
      "224.0.0.1",
      "255.255.255.255",
      "fd00::1",
    ];
    const more = [
      "fe80::1",
      "ff02::1",
      "::",
      "64:ff9b::7f00:1",
      "2002:7f00:1::",
      "::ffff:8.8.8.8",
      "2606::1%eth0",
      "name",
    ];
    expect([...not, ...more].filter(isPublicAddress)).toEqual([]);
    expect(
      ["8.8.8.8", "172.32.0.1", "1.1.1.1", "2606:4700::1111"].filter((ip) => !isPublicAddress(ip)),
    ).toEqual([]);
  });
});
