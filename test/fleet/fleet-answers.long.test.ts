import { expect, it } from "vitest";
import { postgresServer } from "../support/postgres.ts";
import { end, eventually } from "../support/processes.ts";
import { parkedRun } from "./support/parked-run.ts";

const server = await postgresServer();

it("an answer in the monitor reaches a run whose workers are all gone", async () => {
  const { client, question, until, worker, startWorker, lines } = await parkedRun(server);
  await end(worker.child);
  await client.resolve(question, { choices: ["deny"], message: "Not today." });
  await until("queued");
  await startWorker();
  await until("done");
  expect(lines()).toBe("");
});

it("a question that was answered with fleet answer is closed in the monitor, with who answered", async () => {
  const { client, question, fleet, run, worker } = await parkedRun(server);
  // No worker of this machine says that the run goes on.
  await end(worker.child);
  expect((await fleet("answer", run, "yes")).code).toBe(0);
  await eventually(async () => expect(await client.decisions("open")).toEqual([]));
  await expect(client.resolve(question, { choices: ["deny"] })).rejects.toMatchObject({
    message: expect.stringMatching(/^Too late: answered with allow by \w+ \(fleet\)\.$/),
  });
  expect(await client.agents()).toMatchObject([{ agent_id: run, state: "exited" }]);
});

it("the question of a run that is cancelled is taken back", async () => {
  const { client, fleet, run, question } = await parkedRun(server);
  await fleet("cancel", run);
  await eventually(async () => expect(await client.decisions("open")).toEqual([]));
  const [closed] = await client.decisionsLike(question);
  expect(closed).toMatchObject({ state: "dismissed", resolved: { by: "The run was cancelled." } });
});

it("of an answer in the monitor and one of fleet answer, given at once, one counts, and the other is told", async () => {
  const { client, question, fleet, run, until, lines } = await parkedRun(server);
  const [, typed] = await Promise.all([
    client.resolve(question, { choices: ["allow"] }),
    fleet("answer", run, "no"),
  ]);
  await until("done");
  const [decision] = await client.decisionsLike(question);
  if (typed.code === 0) {
    expect(lines()).toBe("");
    await eventually(async () =>
      expect((await client.decisionsLike(question))[0]).toMatchObject({
        state: "dismissed",
        resolved: { by: expect.stringMatching(/waits for no answer: (it is|\w+ was faster)/) },
      }),
    );
  } else {
    expect(lines()).toBe("asked\n");
    expect(typed.stderr).toMatch(/waits for no answer: (it is done|\w+ was faster \(cli\))/);
    expect(decision).toMatchObject({ state: "resolved", resolved: { answer: { allow: true } } });
  }
});

it("what a run waits for is answered in the monitor, and who comes later is told who was faster", async () => {
  const { client, question, until, fleet, run, lines } = await parkedRun(server);
  const answered = await client.resolve(question, { choices: ["allow"] });
  expect(answered).toMatchObject({ state: "resolved", resolved: { channel: "cli" } });
  await until("done", "queued", "running");
  const late = await fleet("answer", run, "no");
  expect([late.code, late.stderr]).toEqual([
    1,
    expect.stringMatching(/waits for no answer: (it is|\w+ was faster)/),
  ]);
  expect((await until("done"))[0]).toMatchObject({ result: { text: "Over." } });
  expect(lines()).toBe("asked\n");
  await expect(client.resolve(question, { choices: ["deny"] })).rejects.toMatchObject({
    code: "decision_closed",
    message: expect.stringMatching(/^Too late: answered with allow by \w+ \(cli\)\.$/),
  });
});
