import { expect, it } from "vitest";
import { dashboardHandler } from "../../src/dashboard.ts";
import { testDaemon } from "../monitor/support/test-daemon.ts";

const HOST = "http://ops.example";

it("the dashboard in a server of one's own is the same page below a path", async () => {
  const { environment } = await testDaemon();
  const handler = dashboardHandler({ base: "/agents", authorize: () => true, environment });
  const get = (path: string) => handler(new Request(`${HOST}${path}`));
  const page = await get("/agents/inbox");
  expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
  const html = await page.text();
  expect(html).toContain('<base href="/agents/"');
  const [script = ""] = /assets\/[\w.-]+\.js/.exec(html) ?? [];
  expect((await get(`/agents/${script}`)).headers.get("content-type")).toContain("text/javascript");
});
