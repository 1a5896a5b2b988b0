import { createServer, type IncomingHttpHeaders } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { closeServer, listening, portOf } from "../../src/monitor/daemon/server.ts";
import { leaveOut, notLinux } from "../support/not-here.ts";
import { connected, loggedIn, pageOpener } from "./support/browser.ts";
import { openScene } from "./support/scene.ts";

const openPage = pageOpener();

const LOGGED_OUT = "This browser is logged out";

/** A server at another port of this machine, as an agent may start one; it keeps what browsers send to it. */
async function otherServer() {
  const seen: IncomingHttpHeaders[] = [];
  const server = createServer(({ headers }, reply) => {
    seen.push(headers);
    reply.setHeader("content-type", "text/html").end("<!doctype html><title>other</title>");
  });
  await listening(server, { host: "127.0.0.1", port: 0 });
  onTestFinished(() => closeServer(server));
  return { url: `http://127.0.0.1:${portOf(server)}`, seen };
}

describe("a login of the page", () => {
  leaveOut(notLinux);

  it("is not needed for its files, which contain nothing of anybody and are shown in no frame", async () => {
    const { client, report } = await openScene();
    report([[1, "agent:turn", "secret-worker", { host: "claude" }]]);
    await client.agents();
    const link = await client.dashboard();
    const html = await (await fetch(new URL("/inbox", link))).text();
    const files = [...html.matchAll(/(?:src|href)="\.?\/?((?:assets|favicon)[^"]*)"/g)].map(
      ([, name = ""]) => name,
    );
    expect(files.length).toBeGreaterThan(2);
    for (const path of ["/", "/inbox", "/sessions/x", ...files]) {
      const reply = await fetch(new URL(path, link));
      expect([path, reply.status]).toEqual([path, 200]);
      expect(reply.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
      expect(reply.headers.get("referrer-policy")).toBe("no-referrer");
      expect(await reply.text()).not.toContain("secret-worker");
    }
  });

  it("stays over a reload and is that of other tabs, and no address, cookie or reply has it", async () => {
    const { client } = await openScene();
    const { page } = await openPage();
    const sent: string[] = [];
    const set: string[] = [];
    page.on("request", (request) => sent.push(request.url()));
    page.on("response", async (response) => set.push((await response.headerValue("set-cookie")) ?? ""));
    const link = await client.dashboard();
    await loggedIn(page, link, "/inbox");
    await page.reload();
    await connected(page);
    const second = await page.context().newPage();
    await second.goto(new URL("/activity", link).href);
    await connected(second);
    // The first tab is gone, and a third one asks the second.
    await page.close();
    const third = await second.context().newPage();
    await third.goto(new URL("/", link).href);
    await connected(third);
    expect(await third.context().cookies()).toEqual([]);
    expect(new Set(set)).toEqual(new Set([""]));
    expect(sent.filter((url) => /login=|thk_/.test(url.replace(/#.*/, "")))).toEqual([]);
    const { page: stranger } = await openPage();
    await stranger.goto(new URL("/inbox", link).href);
    await stranger.getByText(LOGGED_OUT).waitFor();
  });

  it("ends when its link is used again, and a new one logs in all tabs", async () => {
    const { client } = await openScene();
    const { page } = await openPage();
    const link = await client.dashboard();
    await loggedIn(page, link);
    const { page: thief } = await openPage();
    await thief.goto(link);
    await thief.getByText("This link was used twice").waitFor();
    await page.getByRole("link", { name: "Activity" }).click();
    await page.reload();
    await page.getByText(LOGGED_OUT).waitFor();
    const other = await page.context().newPage();
    await loggedIn(other, await client.dashboard());
    await connected(page);
    expect(await page.getByText(LOGGED_OUT).count()).toBe(0);
  });

  it("is nothing that another port of this machine gets", async () => {
    const { client, report } = await openScene();
    report([[1, "agent:prompt", "worker", { prompt_type: "permission", question: "May I?" }]]);
    const other = await otherServer();
    const { page } = await openPage();
    const { origin } = new URL(await client.dashboard());
    await loggedIn(page, await client.dashboard(), "/inbox");
    await page.getByRole("article", { name: "worker" }).waitFor();
    const [{ id } = { id: "" }] = await client.decisions("open");
    const evil = await page.context().newPage();
    await evil.goto(other.url);
    const tried = await evil.evaluate(
      async ({ origin, id }) => {
        const answer = `${origin}/api/decisions/${id}/answer`;
        const body = JSON.stringify({ choices: ["allow"] });
        const send = (init: RequestInit) =>
          fetch(answer, { method: "POST", body, credentials: "include", ...init }).then(
            ({ type }) => type,
            () => "failed",
          );
        const form = document.createElement("form");
        const field = document.createElement("input");
        const frame = document.createElement("iframe");
        Object.assign(form, { action: answer, method: "post", enctype: "text/plain", target: "sink" });
        Object.assign(field, { name: '{"choices":["allow"],"x":"', value: '"}' });
        frame.name = "sink";
        form.append(field);
        document.body.append(frame, form);
        const posted = new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
        form.submit();
        await posted;
        const shown = document.createElement("iframe");
        const loaded = new Promise((resolve) => shown.addEventListener("load", resolve, { once: true }));
        shown.src = origin;
        document.body.append(shown);
        await loaded;
        const channel = new BroadcastChannel("tenterhook-token");
        const heard: unknown[] = [];
        channel.onmessage = ({ data }) => heard.push(data);
        channel.postMessage(null);
        return {
          read: await fetch(`${origin}/api/overview`, { credentials: "include" }).then(
            () => "read",
            () => "failed",
          ),
          simple: await send({ mode: "no-cors" }),
          withHeader: await send({ headers: { authorization: "Bearer x" } }),
          frame: shown.contentDocument === null ? "foreign" : "own",
          frames: shown.contentWindow?.length,
          heard,
          stored: sessionStorage.length + localStorage.length,
          cookie: document.cookie,
        };
      },
      { origin, id },
    );
    expect(tried).toEqual({
      read: "failed",
      simple: "opaque",
      withHeader: "failed",
      frame: "foreign",
      frames: 0,
      heard: [],
      stored: 0,
      cookie: "",
    });
    // What is served in a frame is not shown there.
    expect(evil.frames().filter((frame) => frame.url().startsWith(origin))).toEqual([]);
    // The same tab, which keeps the token, goes there.
    await page.goto(other.url);
    await page.goBack();
    await connected(page);
    await page.evaluate((url) => {
      location.href = url;
    }, other.url);
    await page.waitForURL(`${other.url}/`);
    expect(await page.evaluate(() => [sessionStorage.length, document.referrer])).toEqual([0, ""]);
    for (const headers of other.seen) {
      expect(headers).not.toHaveProperty("cookie");
      expect(headers).not.toHaveProperty("authorization");
      expect(headers.referer ?? other.url).toContain(other.url);
    }
    expect(await client.decisions("open")).toMatchObject([{ id, state: "open" }]);
  });
});
