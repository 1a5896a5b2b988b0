import { describe, expect, it } from "vitest";
import { Conversation } from "../../../../src/agent/conversation/conversation.ts";
import type { AgentMessage } from "../../../../src/agent/messages/messages.ts";

/** Messages that count how often they are turned into text. */
function counted() {
  const texts = { made: 0 };
  const provider_metadata = { test: {} };
  const toJSON = (): string => {
    texts.made += 1;
    return "x".repeat(400);
  };
  Object.defineProperty(provider_metadata.test, "toJSON", { value: toJSON });
  const answer = (number: number): AgentMessage => ({
    id: `m${number}`,
    turn_id: "t",
    created_at: "2026-01-01T00:00:00.000Z",
    role: "assistant",
    model: "own",
    finish_reason: "stop",
    parts: [{ type: "text", text: "", provider_metadata }],
  });
  return { texts, answer };
}

describe("counting the tokens of a conversation whose model reports none", () => {
  it("turns each message into text once, however long the conversation is", () => {
    const { texts, answer } = counted();
    const conversation = new Conversation();
    for (let number = 0; number < 300; number += 1) {
      conversation.add(answer(number));
      expect(conversation.tokens()).toBeGreaterThan(100 * number);
      expect(texts.made).toBe(number + 1);
    }
  });

  it("counts a message no second time after a turn or a message for one request ended", () => {
    const { texts, answer } = counted();
    const conversation = new Conversation();
    for (let number = 0; number < 10; number += 1) conversation.add(answer(number));
    const before = conversation.tokens();
    const hint = { id: "h", turn_id: "t", created_at: "2026-01-01T00:00:00.000Z", role: "user" } as const;
    conversation.add(
      { ...hint, source: "hook", lifetime: "request", parts: [{ type: "text", text: "a hint" }] },
      true,
    );
    expect(conversation.tokens()).toBeGreaterThan(before);
    expect(conversation.tokensSinceAnswer()).toBeGreaterThan(0);
    expect(conversation.tokensSinceAnswer()).toBeLessThanOrEqual(conversation.tokens() - before + 1);
    conversation.endRequest();
    conversation.endTurn();
    expect(conversation.tokens()).toBe(before);
    expect(texts.made).toBe(10);
  });
});
