import { appendFileSync, closeSync, copyFileSync, ftruncateSync, openSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { NativePayload } from "../../src/adapters/adapter.ts";
import { integrationOf } from "../../src/adapters/integrations.ts";
import { usageOf } from "../../src/hook/usage/usage-of.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const recorded = (agent: string) => join(import.meta.dirname, `../fixtures/transcripts/${agent}.jsonl`);

async function usage(agent: string, payload: NativePayload, prices = {}) {
  const { adapter } = await integrationOf(agent);
  const found = await adapter.usage?.(payload);
  return found && usageOf(found, prices);
}

/** A turn of Claude Code: its prompt and model calls with this input. */
const turn = (...inputs: readonly number[]): string =>
  [
    { type: "user", message: { role: "user", content: "Go." } },
    ...inputs.map((cache_read_input_tokens, at) => ({
      type: "assistant",
      message: {
        id: `msg_${at}_${cache_read_input_tokens}`,
        model: "claude-sonnet-4-5-20250929",
        usage: { input_tokens: 100, cache_read_input_tokens, output_tokens: 1000 },
      },
    })),
  ]
    .map((entry) => `${JSON.stringify(entry)}\n`)
    .join("");

function transcript(text: string): string {
  const file = join(temporaryFolder(), "transcript.jsonl");
  appendFileSync(file, text);
  return file;
}

describe("what the turn has used, from a transcript that the real agent wrote,", () => {
  const three = { input_tokens: 30, output_tokens: 15, total_tokens: 45, cached_tokens: 0 };

  it.each([
    [
      "claude",
      {
        context_tokens: 15,
        context_window: 200_000,
        context_left: 0.9999,
        cost_usd: expect.closeTo(0.00042, 10),
      },
    ],
    ["codex", { context_tokens: 15, context_window: 258_400, context_left: 0.9999 }],
    [
      "gemini",
      {
        context_tokens: 15,
        context_window: 1_000_000,
        context_left: 1,
        cost_usd: expect.closeTo(0.0000465, 10),
      },
    ],
    ["qwen", { context_tokens: 15 }],
  ])("is read for %s", async (agent, more) => {
    expect(await usage(agent, { transcript_path: recorded(agent), model: "mock-model" })).toEqual({
      ...three,
      ...more,
    });
  });

  it("has no cost unless every model of the turn has a price", async () => {
    const given = { transcript_path: recorded("qwen") };
    expect(await usage("qwen", given)).not.toHaveProperty("cost_usd");
    const prices = { "qwen/scripted": { input: 1_000_000, output: 0 } };
    expect(await usage("qwen", given, prices)).toMatchObject({ cost_usd: 30 });
  });
});

describe("what the turn has used", () => {
  it("begins with the last prompt", async () => {
    const transcript_path = transcript(turn(5000, 6000) + turn(170_000));
    expect(await usage("claude", { transcript_path })).toEqual({
      input_tokens: 170_100,
      output_tokens: 1000,
      total_tokens: 171_100,
      cached_tokens: 170_000,
      cost_usd: expect.closeTo(0.0663, 6),
      context_tokens: 171_100,
      context_window: 200_000,
      context_left: 0.1445,
    });
  });

  it("is nothing while the prompt is unanswered, and the context is that of the call before", async () => {
    const transcript_path = transcript(turn(5000, 170_000) + turn() + turn());
    expect(await usage("claude", { transcript_path })).toEqual({
      input_tokens: 0,
      output_tokens: 0,
      total_tokens: 0,
      cached_tokens: 0,
      cost_usd: 0,
      context_tokens: 171_100,
      context_window: 200_000,
      context_left: 0.1445,
    });
  });

  it("does not count an entry that Claude Code wrote without a model call", async () => {
    const transcript_path = transcript(turn(170_000));
    const message = {
      id: "msg_error",
      model: "<synthetic>",
      usage: { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0 },
    };
    appendFileSync(transcript_path, `${JSON.stringify({ type: "assistant", message })}\n`);
    expect(await usage("claude", { transcript_path })).toMatchObject({
      cost_usd: expect.closeTo(0.0663, 6),
      context_left: 0.1445,
    });
  });

  it("is read for pi, with the cost it names and without calls that failed", async () => {
    const entry = (id: string, message: object) => `${JSON.stringify({ type: "message", id, message })}\n`;
    const prompt = entry("1", { role: "user", content: [{ type: "text", text: "Go." }] });
    const call = (id: string, input: number, total: number) =>
      entry(id, {
        role: "assistant",
        provider: "anthropic",
        model: "claude-sonnet-4-5",
        usage: {
          input,
          output: 10,
          cacheRead: 100,
          cacheWrite: 50,
          totalTokens: input + 160,
          cost: { total },
        },
      });
    const failed = entry("5", {
      role: "assistant",
      provider: "anthropic",
      model: "claude-sonnet-4-5",
      stopReason: "error",
      usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: { total: 0 } },
    });
    const result = entry("6", { role: "toolResult", content: [] });
    const earlier = prompt + call("2", 9000, 2);
    const text = earlier + prompt + call("3", 1000, 0.5) + result + call("4", 39_840, 0.25) + failed;
    expect(await usage("pi", { transcript_path: transcript(text) })).toEqual({
      input_tokens: 41_140,
      output_tokens: 20,
      total_tokens: 41_160,
      cached_tokens: 200,
      cost_usd: 0.75,
      context_tokens: 40_000,
      context_window: 200_000,
      context_left: 0.8,
    });
    expect(await usage("pi", { transcript_path: transcript(earlier + prompt) })).toMatchObject({
      total_tokens: 0,
      cost_usd: 0,
      context_tokens: 9160,
    });
  });

  it("counts a message once that is written in several parts", async () => {
    const [prompt, call] = turn(1000).split("\n");
    const transcript_path = transcript([prompt, call, call, ""].join("\n"));
    expect(await usage("claude", { transcript_path })).toMatchObject({ input_tokens: 1100 });
  });

  it("is that of a long window once the usual one is exceeded", async () => {
    const transcript_path = transcript(turn(499_900));
    expect(await usage("claude", { transcript_path })).toMatchObject({ context_window: 1_000_000 });
  });

  it("is read from the end of a transcript of 200 MB", async () => {
    const transcript_path = transcript("");
    const file = openSync(transcript_path, "r+");
    ftruncateSync(file, 200_000_000);
    closeSync(file);
    appendFileSync(transcript_path, `\n${turn(1000, 2000)}`);
    expect(await usage("claude", { transcript_path })).toMatchObject({ input_tokens: 3200 });
  });

  it.each([
    ["no transcript", {}],
    ["another type", { transcript_path: 7 }],
    ["a missing file", { transcript_path: "/no/such/file" }],
    ["a folder", { transcript_path: "/" }],
  ])("is unknown with %s", async (_, payload) => {
    for (const agent of ["claude", "codex", "gemini", "qwen"])
      expect(await usage(agent, payload)).toBeUndefined();
  });

  it("is unknown, or what can be read, when lines are damaged", async () => {
    for (const agent of ["claude", "codex", "gemini", "qwen"]) {
      const file = join(temporaryFolder(), "transcript.jsonl");
      copyFileSync(recorded(agent), file);
      appendFileSync(
        file,
        '{"type":"assistant","message":7}\n{"type":"user"\n{"type":"gemini","tokens":[]}\nnull\n',
      );
      expect(await usage(agent, { transcript_path: file })).toMatchObject({ output_tokens: 15 });
    }
  });
});
