import { describe, expect, it } from "vitest";
import {
  agentHere,
  agentOf,
  asked,
  decisionOf,
  isMade,
  json,
  question,
  RUN,
  watched,
  write,
} from "./support/own-agent.ts";

describe("our own agent in the monitor", () => {
  it("asks a question with options, and gets the chosen one", async () => {
    const project = await watched({ on_prompt: "answer" }, question);
    const done = agentHere(project, ...RUN);
    const { id, questions } = await asked(project);
    expect(questions).toEqual([expect.objectContaining({ question: "Which colour?" })]);
    expect(await json(project, "answer", id, "2")).toMatchObject({ state: "resolved" });
    expect(await done).toMatchObject({ code: 0, stdout: expect.stringContaining("Blue") });
  });

  it("goes on with the default when nobody answers in time, and the record says so", async () => {
    const project = await watched({ on_prompt: { action: "answer", wait: "1s", default: "deny" } }, write);
    expect(await agentHere(project, ...RUN)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("nobody answered within 1 second, and the default is no"),
    });
    expect(isMade(project)).toBe(false);
    expect(await decisionOf(project)).toMatchObject({
      state: "resolved",
      resolved: { by: "Nobody answered within 1 second.", channel: "timeout", answer: false },
    });
  });

  it("that is suspended waits in the monitor, and is answered when it continues", async () => {
    const project = await watched({ on_prompt: "escalate" }, write);
    await agentHere(project, ...RUN, "--suspend");
    const { session_id = "", ...decision } = await asked(project);
    expect(decision).toMatchObject({ source: "permission", state: "open", suspended: true });
    await agentHere(project, "sessions", "resume", session_id, "yes");
    expect(isMade(project)).toBe(true);
    expect(await decisionOf(project)).toMatchObject({
      state: "resolved",
      resolved: { channel: "agent", answer: { allow: true } },
    });
    expect(await agentOf(project)).toMatchObject({ state: "exited" });
  });
});
