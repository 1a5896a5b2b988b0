import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { adapterFor } from "../../src/adapters/agents.ts";
import { AGENT_NAMES } from "../../src/core/events/agent-names.ts";
import { runs } from "../support/long.ts";

const FIXTURES = join(import.meta.dirname, "../fixtures");

/** Variables that agents set for their hooks, also those that they set in the name of others. */
const VARIABLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  cursor: {
    CURSOR_VERSION: "1.0.0",
    CURSOR_PROJECT_DIR: "/home/dev/app",
    CLAUDE_PROJECT_DIR: "/home/dev/app",
  },
  qwen: {
    QWEN_CODE_SESSION_ID: "1",
    QWEN_PROJECT_DIR: "/home/dev/app",
    GEMINI_PROJECT_DIR: "/home/dev/app",
    CLAUDE_PROJECT_DIR: "/home/dev/app",
  },
  gemini: {
    GEMINI_SESSION_ID: "1",
    GEMINI_PROJECT_DIR: "/home/dev/app",
    CLAUDE_PROJECT_DIR: "/home/dev/app",
  },
  copilot: {
    COPILOT_CLI: "1",
    COPILOT_PROJECT_DIR: "/home/dev/app",
    CLAUDE_PROJECT_DIR: "/home/dev/app",
  },
  auggie: {
    AUGMENT_HOOK_EVENT: "PreToolUse",
    AUGMENT_PROJECT_DIR: "/home/dev/app",
    AUGMENT_CONVERSATION_ID: "1",
  },
  claude: { CLAUDECODE: "1", CLAUDE_PROJECT_DIR: "/home/dev/app", CLAUDE_CODE_ENTRYPOINT: "cli" },
};

const payloads = AGENT_NAMES.flatMap((agent) =>
  readdirSync(join(FIXTURES, agent)).map((file): [string, string, Readonly<Record<string, unknown>>] => [
    agent,
    file,
    JSON.parse(readFileSync(join(FIXTURES, agent, file), "utf8")),
  ]),
);

describe("the sender of a payload", () => {
  it.each(payloads)("is %s for %s, in its own environment", async (agent, _file, payload) => {
    expect((await adapterFor(payload, VARIABLES[agent] ?? {})).name).toBe(agent);
  });

  it.each(payloads)("is %s for %s, when another agent has started it", async (agent, _file, payload) => {
    for (const variables of Object.values(VARIABLES))
      expect((await adapterFor(payload, { ...variables, ...VARIABLES[agent] })).name).toBe(agent);
  });

  it("is found for whatever a payload contains", async () => {
    const keys = fc.constantFrom(...new Set(payloads.flatMap(([, , payload]) => Object.keys(payload))));
    await fc.assert(
      fc.asyncProperty(fc.dictionary(keys, fc.jsonValue()), async (payload) => {
        expect(AGENT_NAMES).toContain((await adapterFor(payload, {})).name);
      }),
      { numRuns: runs(100) },
    );
  });
});
