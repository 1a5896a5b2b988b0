import { appendFileSync, closeSync, copyFileSync, ftruncateSync, openSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { NativePayload } from "../../src/adapters/adapter.ts";
import { bridgeOf } from "../../src/adapters/agents.ts";
import { usageOf } from "../../src/cli/usage/usage-of.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const recorded = (agent: string) => join(import.meta.dirname, `../fixtures/transcripts/${agent}.jsonl`);

async function usage(agent: string, payload: NativePayload, prices = {}) {
  const { adapter } = await bridgeOf(agent);
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
    ["claude", { context_tokens: 15, context_window: 200_000, context_left: 0.9999 }],
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
  it("begins with the last prompt that was answered", async () => {
    const transcript_path = transcript(turn(5000, 6000) + turn(170_000) + turn());
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
