import { createHmac } from "node:crypto";
import { afterEach, describe, expect, it, vi } from "vitest";
import { bashCall } from "../../support/events.ts";
import { decided, json, nobody, serve, withHook } from "./support.ts";

afterEach(() => void vi.unstubAllEnvs());

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

  it("that are not set are reported when the hook is added and fail it as missing", async () => {
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
