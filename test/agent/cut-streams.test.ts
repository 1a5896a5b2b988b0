import { systemClock } from "tenterhook";
import { openModel } from "tenterhook/agent";
import { describe, expect, it, onTestFinished } from "vitest";
import { startModelServer } from "../support/model-servers/model-server.ts";
import { SERVED_MODELS } from "../support/model-servers/servers.ts";
import { agentOf, story } from "./support/agents.ts";

const TEXT = "An answer in so many words that it comes in many pieces, of which the last are missing.";

/** A clock on which nobody waits long before another try. */
const clock = {
  ...systemClock,
  after: (milliseconds: number, call: () => void) =>
    systemClock.after(milliseconds < 300_000 ? 1 : milliseconds, call),
};

describe.each(SERVED_MODELS)("a stream of %s", (_, { protocol, model, environment }) => {
  it.each([
    [true, "network"],
    ["ends", "stream_cut"],
  ] as const)("that is cut off (%s) is no answer, and is asked for again", async (cut, error_type) => {
    const server = await startModelServer(protocol, [{ text: TEXT, cut }, { text: "The whole answer." }]);
    onTestFinished(() => server.close());
    const opened = await openModel(model, { environment: environment(server) });
    const { agent } = agentOf([], { model: opened, clock });
    const errors: unknown[] = [];
    const result = await agent.run("go", {
      onItem: (item) =>
        item.type === "error" && errors.push([item.error_type, item.retry_in_ms !== undefined]),
    });
    expect([result.stop_reason, errors]).toEqual(["complete", [[error_type, true]]]);
    expect(story(agent.transcript())).toEqual(["user text: go", "assistant text: The whole answer."]);
  });
});
