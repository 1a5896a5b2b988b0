import { describe, expect, it } from "vitest";
import { project } from "./support/project.ts";

const PLACE = "project/.tenterhook/hooks.yaml";
const refused = async (monitor: string) => {
  const [code, message] = await project({ "hooks.yaml": `monitor:\n  ${monitor}` }).refused();
  expect(code).toBe("config_invalid");
  return message.replace(`${PLACE}:`, "");
};

const TELEGRAM = "telegram: 1234, token_env: BOT_TOKEN";
const SECRET = "the name of a variable, such as BOT_TOKEN; the secret itself does not belong in a file";
const ADDRESS = "an address that begins with https://, or with http://localhost, and contains no password";

describe("who is notified of decisions", () => {
  it("may be several channels", async () => {
    const notify = [
      { desktop: true },
      { command: ["notify", "--all"], timeout: "10m" },
      { webhook: "https://example.com/hook", secret_env: "HOOK_KEY" },
      { telegram: -100123, token_env: "BOT_TOKEN" },
      { ntfy: "my-asks", replies: "my-says", url: "http://localhost:8080" },
    ];
    const { settings } = await project({
      "user/tenterhook/hooks.yaml": JSON.stringify({ monitor: { notify } }),
    }).load();
    expect(settings.monitor).toEqual({ notify });
  });

  it.each([
    [
      "notify: [{ telegam: 1234, token_env: X }]",
      '2:14: monitor.notify[0] has the unknown key "telegam". Did you mean "telegram"?',
    ],
    ["notify: [{ telegram: 1234 }]", `2:12: monitor.notify[0].token_env is missing; it must be ${SECRET}.`],
    [
      "notify: [{ telegram: 1234, token_env: '4711:AAH-secret' }]",
      `2:41: monitor.notify[0].token_env is "4711:AAH-secret"; it must be ${SECRET}.`,
    ],
    [
      "notify: [{ telegram: '@anna', token_env: BOT_TOKEN }]",
      '2:24: monitor.notify[0].telegram is "@anna"; it must be the number of a chat, such as 123456789; that of a group is negative.',
    ],
    [
      `notify: [{ ${TELEGRAM}, url: 'http://bots.example.com' }]`,
      `2:57: monitor.notify[0].url is "http://bots.example.com"; it must be ${ADDRESS}.`,
    ],
    [
      "notify: [{ webhook: 'https://me:pw@example.com/' }]",
      `2:23: monitor.notify[0].webhook is "https://me:pw@example.com/"; it must be ${ADDRESS}.`,
    ],
    [
      "notify: [{ ntfy: 'my asks', replies: says }]",
      '2:20: monitor.notify[0].ntfy is "my asks"; it must be the name of a topic: up to 64 letters, digits, - and _.',
    ],
    [
      "notify: [{ ntfy: same, replies: same }]",
      "2:35: monitor.notify[0].replies is the topic of the questions; answers need another one.",
    ],
    [
      "notify: { desktop: true }",
      '2:11: monitor.notify is {"desktop":true}; it must be a list of objects, each with one of desktop, command, webhook, telegram, ntfy.',
    ],
  ])("is an error as %s", async (text, message) => {
    expect(await refused(text)).toContain(message);
  });
});

describe("what happens when nobody answers", () => {
  it.each([
    [
      "decisions: { plan: { default: acept } }",
      '2:33: monitor.decisions.plan.default is "acept"; it must be one of accept, cancel. Did you mean "accept"?',
    ],
    [
      "decisions: { permission: { timeout: soon } }",
      '2:39: monitor.decisions.permission.timeout is "soon"; it must be a number of seconds, or a string such as 60s, 10m or 2h.',
    ],
    [
      "decisions: { plans: { timeout: 1m } }",
      '2:16: monitor.decisions has the unknown key "plans". Did you mean "plan"?',
    ],
  ])("is an error as %s", async (text, message) => {
    expect(await refused(text)).toBe(message);
  });
});
