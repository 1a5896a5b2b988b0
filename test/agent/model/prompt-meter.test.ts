import type { LanguageModelV3Message } from "@ai-sdk/provider";
import fc from "fast-check";
import { expect, it } from "vitest";
import { promptMeter } from "../../../src/agent/model/prompt-meter.ts";

const message = fc.oneof(
  fc.string().map((text): LanguageModelV3Message => ({ role: "user", content: [{ type: "text", text }] })),
  fc.nat({ max: 3 }).map(
    (calls): LanguageModelV3Message => ({
      role: "assistant",
      content: Array.from({ length: calls }, (_, index) => ({
        type: "tool-call",
        toolCallId: `call_${index}`,
        toolName: "Read",
        input: {},
      })),
    }),
  ),
);

it("counting a conversation as it grows, is shortened or starts anew is the same as counting each prompt afresh", () => {
  fc.assert(
    fc.property(fc.array(message), fc.array(fc.nat({ max: 12 })), (messages, lengths) => {
      const measure = promptMeter();
      for (const length of lengths) {
        const prompt = messages.slice(0, length);
        expect(measure(prompt)).toEqual(promptMeter()(prompt));
      }
      expect(measure([...messages].reverse())).toEqual(promptMeter()([...messages].reverse()));
    }),
  );
});
