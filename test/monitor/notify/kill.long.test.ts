import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { monitorClient } from "../../../src/monitor/client.ts";
import { appendToSpool } from "../../../src/monitor/report/spool.ts";
import { CLI } from "../../cli/support/run-cli.ts";
import { kill } from "../../support/faults/kill.ts";
import { runs } from "../../support/long.ts";
import { endAfterTest, eventually } from "../../support/processes.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { ASKER, hookAt } from "../support/waiting-hook.ts";
import { ntfyServer } from "./support/ntfy-server.ts";
import { TOKEN, telegramServer } from "./support/telegram-server.ts";

const KILLS = runs(4);
const CHAT = 4242;

it("kill -9 at random moments loses no question and no answer, and ntfy gets each question once", {
  timeout: 300_000 + KILLS * 10_000,
}, async () => {
  const telegram = await telegramServer();
  const ntfy = await ntfyServer();
  const home = temporaryFolder();
  const environment = {
    ...process.env,
    HOME: home,
    XDG_CONFIG_HOME: join(home, "config"),
    XDG_STATE_HOME: join(home, "state"),
    XDG_CACHE_HOME: join(home, "cache"),
  };
  mkdirSync(join(home, "config/tenterhook"), { recursive: true });
  const notify = [
    { telegram: CHAT, token_env: "BOT_TOKEN", url: telegram.url },
    { ntfy: "asks", replies: "says", url: ntfy.url },
  ];
  writeFileSync(join(home, "config/tenterhook/monitor.env"), `BOT_TOKEN=${TOKEN}\n`, { mode: 0o600 });
  writeFileSync(join(home, "config/tenterhook/hooks.yaml"), JSON.stringify({ monitor: { notify } }));
  const start = () => {
    const args = [CLI, "daemon", "start", "--foreground"];
    const daemon = spawn(process.execPath, args, { env: environment, stdio: "ignore" });
    endAfterTest(daemon);
    return daemon;
  };
  const client = monitorClient(environment);
  const asked: string[] = [];
  /** What the hooks got that wait. */
  const hooks: Promise<readonly [agent: string, answer: unknown]>[] = [];
  const ask = (): void => {
    const agent_id = `asks-${asked.length}`;
    asked.push(agent_id);
    const waits_until = new Date(Date.now() + 600_000).toISOString();
    const prompt = { prompt_type: "permission", question: "May I?", waits_until, cwd: home, ...ASKER };
    const asks = appendToSpool({ type: "agent:prompt", agent_id, ...prompt }, environment);
    const over = new AbortController();
    onTestFinished(() => over.abort());
    const hook = hookAt(asks, environment, { signal: over.signal });
    hooks.push(hook.then((given) => [agent_id, given?.answer]));
  };
  /** Taps the first message about an agent, once. */
  const tapped = new Set<string>();
  const tap = (): void => {
    for (const message of telegram.messages()) {
      const [agent = ""] = message.text.split(" ", 1);
      if (message.reply_markup === undefined || tapped.has(agent)) continue;
      tapped.add(agent);
      telegram.tap(message, Number(agent.slice(5)) % 2 === 0 ? "allow" : "deny");
    }
  };
  let left = KILLS;
  const work = async (): Promise<void> => {
    for (; left > 0; await wait(40)) {
      if (asked.length - tapped.size < 5) ask();
      tap();
    }
  };
  const killAgain = async (): Promise<void> => {
    for (; left > 0; left -= 1) {
      const daemon = start();
      const before = tapped.size;
      if (left % 2 === 0) await eventually(() => expect(tapped.size).toBeGreaterThan(before));
      await wait(300 + Math.random() * 700);
      const ended = once(daemon, "exit");
      kill(daemon);
      await ended;
    }
  };
  await Promise.all([work(), killAgain()]);
  const last = start();
  await eventually(() => {
    tap();
    expect([...tapped].sort()).toEqual([...asked].sort());
  });
  await eventually(async () => expect(await client.decisions("open")).toEqual([]));
  const answers = (await client.decisions("all")).map(({ agent_id, resolved }) => [
    agent_id,
    resolved?.answer,
  ]);
  const expected = Object.fromEntries(asked.map((agent, at) => [agent, { allow: at % 2 === 0 }]));
  expect(Object.fromEntries(answers)).toEqual(expected);
  expect(Object.fromEntries(await Promise.all(hooks))).toEqual(expected);
  const notified = ntfy.messages("asks").map(({ title = "" }) => title.split(" ", 1)[0]);
  expect(notified.filter((agent, at) => notified.indexOf(agent) !== at)).toEqual([]);
  // Telegram can't be asked what it has: a message may come again for each kill, and never is one lost.
  const questions = telegram.messages().filter(({ text }) => text.startsWith("asks-"));
  expect(questions.length - asked.length).toBeLessThanOrEqual(KILLS);
  const ended = once(last, "exit");
  await client.stop();
  await ended;
});
