import { describe, expect, it } from "vitest";
import { dashboardHandler } from "../../src/dashboard.ts";
import { testDaemon } from "../monitor/support/test-daemon.ts";

const HOST = "http://ops.example";

async function mounted(authorize: () => boolean = () => true) {
  const { environment } = await testDaemon();
  const handler = dashboardHandler({ base: "/agents", authorize, environment });
  return (path: string, init?: RequestInit) => handler(new Request(`${HOST}${path}`, init));
}

describe("the dashboard in a server of one's own", () => {
  it("has the data of the page below a path", async () => {
    const get = await mounted();
    expect(await (await get("/agents/api/overview")).json()).toMatchObject({ agents: [], open: [] });
  });

  it("sends news as they come", async () => {
    const get = await mounted();
    const ending = new AbortController();
    const news = await get("/agents/api/news", { signal: ending.signal });
    const { value } = (await news.body?.getReader().read()) ?? {};
    expect(new TextDecoder().decode(value)).toMatch(/^event: overview\ndata: \{/);
    ending.abort();
  });

  it("passes an answer on, and none that another page has sent", async () => {
    const get = await mounted();
    const answer = (origin: string) =>
      get("/agents/api/decisions/none/answer", {
        method: "POST",
        headers: { origin },
        body: JSON.stringify({ choices: ["1"] }),
      });
    expect(await (await answer(HOST)).json()).toMatchObject({ receipt: { kind: "late" } });
    expect((await answer("http://evil.example")).status).toBe(403);
  });

  it("answers nobody who may not see it, and nothing outside of its path", async () => {
    const refusing = await mounted(() => false);
    expect((await refusing("/agents/api/overview")).status).toBe(403);
    const get = await mounted();
    expect((await get("/elsewhere")).status).toBe(404);
    expect((await get("/agents/../v1/info")).status).toBe(404);
  });

  it("says that the daemon does not run", async () => {
    const environment = { XDG_STATE_HOME: "/nonexistent/tenterhook" };
    const handler = dashboardHandler({ authorize: () => true, environment });
    const reply = await handler(new Request(`${HOST}/`));
    expect([reply.status, await reply.text()]).toEqual([
      503,
      expect.stringContaining("tenterhook daemon start"),
    ]);
  });

  it("refuses a base that is no path", () => {
    expect(() => dashboardHandler({ authorize: () => true, base: "agents" })).toThrow(
      expect.objectContaining({ code: "invalid_option" }),
    );
  });
});
