import { describe, expect, it } from "vitest";
import { withHook } from "./support.ts";

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
