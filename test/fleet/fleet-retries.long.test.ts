import { once } from "node:events";
import { createServer } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { eventually } from "../support/processes.ts";
import { fleetServer, newFleet } from "./support/fleet.ts";

const server = await fleetServer();

describe("a run", () => {
  it("that fails for a while is tried again, and one that always fails is dead until it is retried", async () => {
    const { submit, script, work, statuses, fleet, database } = await newFleet(server);
    const error = { error: { status: 400, message: "Bad weather." } };
    const passing = await submit({ task: "Passes.", model: script("p", [error, { text: "Over." }]) });
    // An answer that the agent itself does not ask for again, so nobody waits for its pauses either.
    const api = createServer((_, reply) => void reply.writeHead(400).end('{"error":{"message":"No."}}'));
    api.listen(0, "127.0.0.1");
    await once(api, "listening");
    onTestFinished(() => void api.close());
    const address = api.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const failing = await submit({
      task: "Fails.",
      model: `openai-compatible:http://127.0.0.1:${port}/none`,
    });
    await work();
    // The pauses between attempts grow; nobody has to wait for them here.
    await eventually(async () => {
      await database.query(
        "UPDATE tenterhook.runs SET due = now(), queued_at = 'epoch' WHERE state = 'queued'",
      );
      const found = Object.fromEntries((await statuses()).map(({ run_id, state }) => [run_id, state]));
      expect(found).toEqual({ [passing]: "done", [failing]: "dead" });
    }, 90_000);
    const dead = (await statuses()).find(({ run_id }) => run_id === failing);
    expect(dead).toMatchObject({ attempts: 5, error: expect.stringContaining("No.") });
    const retried = await fleet("retry", failing);
    expect(retried.stdout).toBe(`Run ${failing} is queued again; its agent goes on where it was.\n`);
    await eventually(async () =>
      expect((await statuses()).find(({ run_id }) => run_id === failing)?.attempts).toBeGreaterThan(5),
    );
  });
});
