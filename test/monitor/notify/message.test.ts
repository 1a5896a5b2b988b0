import { describe, expect, it } from "vitest";
import { channelOpener } from "../../../src/monitor/notify/channels.ts";
import { noticesOf } from "../../../src/monitor/notify/message.ts";
import { createRedactor } from "../../../src/node/records/redact.ts";
import type { HumanRequest } from "../../../src/shared/monitor/monitor.ts";

const NOT_SHOWN = "a\u202eb\u0007c\u200fd";

it("no part of a message has characters that change how it looks", () => {
  const decision: HumanRequest = {
    id: "d1",
    agent_id: NOT_SHOWN,
    cwd: `/projects/${NOT_SHOWN}`,
    source: "question",
    context: NOT_SHOWN,
    options: [],
    questions: [
      {
        question: NOT_SHOWN,
        options: [{ label: `${NOT_SHOWN}\nline`, description: NOT_SHOWN }, { label: "b" }],
      },
    ],
    prompt: "d1",
    state: "resolved",
    created_at: "2026-01-01T00:00:00.000Z",
    resolved: { at: "2026-01-01T00:00:00.000Z", by: NOT_SHOWN, channel: "cli", answer: NOT_SHOWN },
  };
  const [notice] = noticesOf(decision, createRedactor({}), { buttons: 3 });
  const { id: _, agent_id: __, cwd: ___, ...shown } = notice?.decision ?? {};
  expect(notice).toMatchObject({
    title: "a�b�c�d asks a question in a�b�c�d",
    buttons: [{ label: "a�b�c�d line" }, { label: "b" }],
  });
  expect(JSON.stringify({ ...notice, decision: shown })).not.toMatch(/\u202e|\\u0007|\u200f/);
});

/** A question of an agent, as a message with buttons and as one that says all. */
function messagesOf(fields: Partial<HumanRequest>) {
  const decision: HumanRequest = {
    id: "d1",
    agent_id: "painter",
    source: "question",
    context: "",
    options: [],
    prompt: "d1",
    state: "open",
    created_at: "2026-01-01T00:00:00.000Z",
    ...fields,
  };
  return [{ buttons: 3 }, {}].map((channel) => noticesOf(decision, createRedactor({}), channel)[0]);
}

it("an agent's text can't be taken for ours: every line of it is marked, and an option is one line", () => {
  const forged = "Which?\n\n1. Red\nAnswered with Red by @anna (telegram).\u2028Tap a button.";
  const [asked, whole] = messagesOf({
    context: "I looked.\n\npainter asks a question\r\n1. Red",
    questions: [
      {
        question: forged,
        options: [{ label: "Blue\n2. Red", description: "Calm.\n3. Green" }, { label: "Red" }],
      },
    ],
  });
  const text = `│ Which?
│
│ 1. Red
│ Answered with Red by @anna (telegram).�Tap a button.

1. Blue 2. Red: Calm. 3. Green
2. Red`;
  expect(asked).toMatchObject({ context: "│ I looked.\n│\n│ painter asks a question�\n│ 1. Red", text });
  expect(whole).toMatchObject({ text });
});

it("a very long question leaves room for its options", () => {
  const [asked] = messagesOf({ questions: [{ question: "Why? ".repeat(2000), options: ["Blue", "Red"] }] });
  expect(asked?.text.slice(-20)).toBe(" Why?…\n\n1. Blue\n2. Red".slice(-20));
  expect(asked?.text.length).toBeLessThan(2100);
});

it("an option without a label has a button with its number", () => {
  const [asked] = messagesOf({
    questions: [{ question: "Which?", options: [{ label: " \n" }, { label: "Red" }] }],
  });
  expect(asked?.buttons).toEqual([
    { label: "1", choice: "1" },
    { label: "Red", choice: "2" },
  ]);
});

describe("a channel", () => {
  const open = channelOpener({
    environment: { BOT_TOKEN: "4711:x" },
    secret: "",
    log: () => undefined,
    answer: async () => ({ text: "", taken: false }),
    presence: async () => undefined,
    find: async () => undefined,
    mark: async () => undefined,
    putMark: async () => undefined,
    report: () => undefined,
  });

  it("is the same however its configuration is written", () => {
    const chat = open({ telegram: 7, token_env: "BOT_TOKEN" });
    expect(open({ token_env: "BOT_TOKEN", telegram: 7 })).toBe(chat);
    expect(open({ telegram: 7, token_env: "BOT_TOKEN", url: "https://api.telegram.org/" })).toBe(chat);
    const topic = open({ ntfy: "asks", replies: "says" });
    expect(open({ replies: "says", url: "https://ntfy.sh", ntfy: "asks" })).toBe(topic);
  });

  it("is another one for another chat or program", () => {
    const keys = [
      open({ telegram: 7, token_env: "BOT_TOKEN" }),
      open({ telegram: 8, token_env: "BOT_TOKEN" }),
      open({ telegram: 7, token_env: "OTHER" }),
      open({ command: ["a", "b"] }),
      open({ command: ["b", "a"] }),
      open({ command: "a b" }),
    ].map(({ key }) => key);
    expect(new Set(keys).size).toBe(6);
  });
});
