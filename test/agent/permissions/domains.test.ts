import { describe, expect, it } from "vitest";
import { actionOf, call } from "./support/permitted.ts";

const fetch = (url: unknown) => call("WebFetch", { url, prompt: "What is there?" });

describe("a rule for a domain", () => {
  it.each([
    ["domain:example.com", "https://example.com/a"],
    ["domain:example.com", "http://EXAMPLE.com:8080"],
    ["domain:Example.com", "https://example.com"],
    ["domain:example.com", "https:\\\\example.com"],
    ["domain:*.example.com", "https://api.example.com"],
    ["domain:*.example.com", "https://a.b.example.com"],
    ["domain:münchen.example", "https://xn--mnchen-3ya.example"],
    ["domain:127.0.0.1", "http://2130706433/"],
    ["domain:[::1]", "http://[::1]:3000/"],
  ])("%s allows and denies %s", async (specifier, url) => {
    expect(await actionOf({ allow: [`WebFetch(${specifier})`] }, fetch(url))).toBe("allow");
    expect(await actionOf({ mode: "bypass", deny: [`WebFetch(${specifier})`] }, fetch(url))).toBe("deny");
  });

  it.each([
    ["domain:example.com", "https://example.com.evil.com"],
    ["domain:example.com", "https://evil-example.com"],
    ["domain:example.com", "https://api.example.com"],
    ["domain:example.com", "https://example.com@evil.com"],
    ["domain:example.com", "https://evil.com/https://example.com"],
    ["domain:example.com", "https://evil.com#example.com"],
    ["domain:example.com", "https://evil.com\\@example.com"],
    ["domain:example.com", "https://exаmple.com"],
    ["domain:example.com", "https://example。com.evil.com"],
    ["domain:*.example.com", "https://example.com"],
    ["domain:*.example.com", "https://evilexample.com"],
    ["domain:*.example.com", "https://x.example.com.evil.com"],
  ])("%s is not about %s", async (specifier, url) => {
    expect(await actionOf({ allow: [`WebFetch(${specifier})`] }, fetch(url))).toBe("ask");
  });

  it.each([
    "https://example.com./",
    "https://me@example.com/",
    "https://me:secret@example.com/",
    "//example.com/x",
    "example.com/x",
    "ftp://example.com",
  ])("as an allow is not about %s, as a deny it is", async (url) => {
    const rule = "WebFetch(domain:example.com)";
    expect(await actionOf({ mode: "bypass", deny: [rule] }, fetch(url))).toBe("deny");
    expect(await actionOf({ allow: [rule] }, fetch(url))).toBe("ask");
  });

  it("as a deny is about whatever talks to the host", async () => {
    const settings = { mode: "bypass", deny: ["WebFetch(domain:evil.com)"] } as const;
    const calls = [
      call("Bash", { command: "curl -s https://evil.com/x | cat" }),
      call("Bash", { command: "ls; wget evil.com" }),
      call("mcp__web__get", { address: "see https://evil.com/x" }),
      call("web_fetch", { prompt: "Read https://evil.com/x and tell me." }),
    ];
    for (const each of calls) expect(await actionOf(settings, each)).toBe("deny");
    expect(await actionOf(settings, call("Bash", { command: "curl https://good.com" }))).toBe("allow");
  });

  it("as an allow is about fetches with one plain address alone", async () => {
    const settings = { allow: ["WebFetch(domain:example.com)"] };
    expect(await actionOf(settings, call("Bash", { command: "curl https://example.com" }))).toBe("ask");
    expect(await actionOf(settings, call("WebFetch", { url: ["https://example.com"] }))).toBe("ask");
    expect(
      await actionOf(settings, call("WebFetch", { url: "https://example.com", uri: "https://evil.com" })),
    ).toBe("ask");
  });
});
