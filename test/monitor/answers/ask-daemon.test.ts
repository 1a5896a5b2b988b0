import { describe, expect, it, onTestFinished } from "vitest";
import { monitorClient } from "../../../src/monitor/client.ts";
import { askDaemon } from "../../../src/monitor/report/ask.ts";
import { appendToSpool } from "../../../src/monitor/report/spool.ts";
import { eventually } from "../../support/processes.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { testDaemon } from "../support/test-daemon.ts";
import { ASKER, hookAt, KEY } from "../support/waiting-hook.ts";

const NEVER = new AbortController().signal;
const ALLOW = { choices: ["allow"] };

/** A user whose agent has asked for a permission. */
function asked() {
  const environment = { XDG_STATE_HOME: temporaryFolder() };
  const waits_until = new Date(Date.now() + 600_000).toISOString();
  const asks = { prompt_type: "permission", question: "Bash", waits_until, ...ASKER };
  const prompt = appendToSpool(
    { type: "agent:prompt", agent_id: "worker", session_id: "s1", ...asks },
    environment,
  );
  const client = monitorClient(environment);
  const decision = async () => (await client.decisions("all"))[0];
  return { environment, prompt, client, decision };
}

describe("a hook in a process of its own", () => {
  it("has its answer by the daemon's reply, and the person hears that it was taken", async () => {
    const { environment, prompt, client } = asked();
    await testDaemon({ environment });
    const hook = hookAt(prompt, environment);
    const { resolved } = await client.resolve(prompt.id, ALLOW);
    expect(resolved).toMatchObject({ channel: "cli", fate: "given", given_at: expect.any(String) });
    expect(await hook).toMatchObject({ answer: { allow: true }, channel: "cli" });
  });

  it("waits for a daemon that starts later, and asks the next one when it ends", async () => {
    const { environment, prompt, client, decision } = asked();
    const hook = hookAt(prompt, environment);
    const first = await testDaemon({ environment });
    expect(await client.decisions("open")).toHaveLength(1);
    await first.close();
    await testDaemon({ environment });
    await client.resolve(prompt.id, ALLOW);
    expect(await hook).toMatchObject({ answer: { allow: true } });
    await eventually(async () => expect(await decision()).toMatchObject({ resolved: { fate: "given" } }));
  });

  it("gets an answer once that the last daemon had and could not give", async () => {
    const { environment, prompt, client, decision } = asked();
    const first = await testDaemon({ environment, takenMilliseconds: 0 });
    expect((await client.resolve(prompt.id, ALLOW)).resolved?.fate).toBeUndefined();
    await first.close();
    await testDaemon({ environment });
    expect(await hookAt(prompt, environment)).toMatchObject({ answer: { allow: true } });
    await eventually(async () => expect(await decision()).toMatchObject({ resolved: { fate: "given" } }));
    await expect(client.resolve(prompt.id, ALLOW)).rejects.toMatchObject({ code: "decision_closed" });
  });

  it("takes its question back when it ends without a word", async () => {
    const { environment, prompt, client, decision } = asked();
    await testDaemon({ environment });
    await eventually(async () => {
      const ended = new AbortController();
      const hook = hookAt(prompt, environment, { signal: ended.signal });
      // By then the daemon may have its request.
      await client.info();
      ended.abort();
      expect(await hook).toBeUndefined();
      expect(await decision()).toMatchObject({
        state: "dismissed",
        resolved: { by: "Interrupted in the terminal.", channel: "agent" },
      });
    });
  });

  it("keeps its question while the daemon ends", async () => {
    const { environment, prompt, client } = asked();
    const first = await testDaemon({ environment });
    const ended = new AbortController();
    onTestFinished(() => ended.abort());
    const hook = hookAt(prompt, environment, { signal: ended.signal });
    await eventually(async () => expect(await client.decisions("open")).toHaveLength(1));
    await first.close();
    await testDaemon({ environment });
    expect(await client.decisions("open")).toMatchObject([{ id: prompt.id }]);
    ended.abort();
    expect(await hook).toBeUndefined();
  });
});

describe("another process", () => {
  it("is told no answer, and takes none away", async () => {
    const { environment, prompt, client } = asked();
    await testDaemon({ environment });
    const ask = askDaemon(environment);
    const refused = { code: "not_allowed", message: "Another process asked this." };
    await expect(ask({ id: prompt.id, key: "guessed" }, NEVER)).rejects.toMatchObject(refused);
    const over = ask({ id: prompt.id, key: "guessed", isOver: true }, NEVER);
    await expect(over).rejects.toMatchObject(refused);
    const hook = hookAt(prompt, environment);
    await client.resolve(prompt.id, ALLOW);
    expect(await hook).toMatchObject({ answer: { allow: true } });
    await expect(ask({ id: prompt.id, key: "guessed" }, NEVER)).rejects.toMatchObject(refused);
  });

  it("can't ask at the address that browsers use", async () => {
    const { environment, prompt } = asked();
    const { info, token } = await testDaemon({ environment });
    const reply = await fetch(new URL("/v1/ask", info.url), {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ id: prompt.id, key: KEY }),
    });
    expect(reply.status).toBe(404);
  });

  it("that does not say what it asks is told so", async () => {
    const { environment } = asked();
    await testDaemon({ environment });
    const nothing = askDaemon(environment)(JSON.parse("{}"), NEVER);
    await expect(nothing).rejects.toMatchObject({ code: "usage_error" });
  });
});
