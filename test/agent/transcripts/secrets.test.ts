import { describe, expect, it, onTestFinished } from "vitest";
import type { RedactScope } from "../../../src/agent/transcripts/secrets.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { STORES, type StoreKind } from "./support/places.ts";

const OWNER = { session_id: "s1", agent_id: "s1" };
const SECRET = "correct-horse-battery";
const environment = { SERVICE_TOKEN: SECRET };
const message = {
  id: SECRET,
  turn_id: SECRET,
  parts: [
    { type: "tool_call", tool_use_id: SECRET, tool_input: { command: `curl -u me:${SECRET}` } },
    { type: "text", text: `the key is ${SECRET}` },
  ],
};

async function stored(kind: StoreKind, redact?: RedactScope) {
  const store = STORES[kind](temporaryFolder(), { environment, ...(redact === undefined ? {} : { redact }) });
  onTestFinished(() => store.close());
  await store.append(message, OWNER);
  await store.record({ type: "hook_output", text: `out: ${SECRET}`, password: "abc" }, OWNER);
  const error = { error_type: "refused", message: `bad ${SECRET}` };
  await store.save({ title: `use ${SECRET}`, status: "error", error }, OWNER);
  const transcript = await store.load("s1");
  const [, step] = await store.activity("s1");
  return {
    messages: transcript?.messages,
    item: step?.item,
    title: transcript?.metadata.title,
    error: transcript?.metadata.error?.message,
  };
}

const PARTS = [
  { type: "tool_call", tool_use_id: SECRET, tool_input: { command: "curl -u me:[redacted]" } },
  { type: "text", text: "the key is [redacted]" },
];

const clean = {
  item: { type: "hook_output", text: "out: [redacted]", password: "[redacted]" },
  title: "use [redacted]",
  error: "bad [redacted]",
};

describe.each(["memory", "jsonl", "sqlite"] as const)("the %s store", (kind) => {
  it("takes secrets out of everything by default, and leaves what messages are found by", async () => {
    expect(await stored(kind)).toEqual({ ...clean, messages: [{ ...message, parts: PARTS }] });
  });
});

it("leaves messages as they are when configured to", async () => {
  expect(await stored("memory", "records")).toEqual({ ...clean, messages: [message] });
});

it("leaves out reasoning that has a secret in it: its signature would not fit any more", async () => {
  const store = STORES.memory(temporaryFolder(), { environment });
  onTestFinished(() => store.close());
  const signed = (text: string) => ({
    type: "reasoning",
    text,
    provider_metadata: { x: { signature: "s" } },
  });
  await store.append({ id: "m", parts: [signed(`use ${SECRET}`), signed("think")] }, OWNER);
  expect((await store.load("s1"))?.messages).toEqual([{ id: "m", parts: [signed("think")] }]);
});

it("takes them out of what a suspended agent waits for where it takes them out of messages", async () => {
  const waiting_for = {
    type: "permission",
    tool_use_id: SECRET,
    tool_input: { command: `curl -u me:${SECRET}`, id: SECRET },
    not_started: [SECRET],
    others: [{ tool_use_id: SECRET, tool_input: { text: SECRET } }],
  };
  const saved = async (redact: RedactScope) => {
    const store = STORES.memory(temporaryFolder(), { environment, redact });
    onTestFinished(() => store.close());
    await store.save({ status: "suspended", waiting_for }, OWNER);
    return (await store.load("s1"))?.metadata.waiting_for;
  };
  expect([await saved("records"), await saved("everything")]).toEqual([
    waiting_for,
    {
      ...waiting_for,
      tool_input: { command: "curl -u me:[redacted]", id: "[redacted]" },
      others: [{ tool_use_id: SECRET, tool_input: { text: "[redacted]" } }],
    },
  ]);
});

it("leaves everything as it is when configured to", async () => {
  expect(await stored("memory", "nothing")).toEqual({
    item: { type: "hook_output", text: `out: ${SECRET}`, password: "abc" },
    title: `use ${SECRET}`,
    error: `bad ${SECRET}`,
    messages: [message],
  });
});

it("takes out what became a secret after the store was opened, also from what it has written before", async () => {
  let now = 0;
  const variables: Record<string, string> = { HOME: "/home/someone" };
  const store = STORES.memory(temporaryFolder(), { environment: variables, clock: { now: () => now } });
  onTestFinished(() => store.close());
  const item = { type: "names", name: SECRET, ...{ names: Object.freeze([SECRET]) } };
  await store.record(item, OWNER);
  variables.SERVICE_TOKEN = SECRET;
  now += 1000;
  await store.record(item, OWNER);
  expect((await store.activity("s1")).map((step) => step.item)).toEqual([
    item,
    { type: "names", name: "[redacted]", names: ["[redacted]"] },
  ]);
});
