import { describe, expect, it } from "vitest";
import type { AgentTable } from "../../../src/adapters/codec/agent-table.ts";
import { integrationOf } from "../../../src/adapters/integrations.ts";
import type { Effect } from "../../../src/core/events/effects.ts";
import type { Client } from "./client.ts";
import {
  command,
  inline,
  type Outcome,
  play,
  SCENARIOS,
  type Scenario,
  type ScenarioName,
} from "./scenarios.ts";

/** A cell of the tables of agents: one of our events and an effect, as `PreToolUse.deny`. */
type Cell = `${string}.${Effect}`;

const on = (event: string, rules: string) => [inline("hook", rules, { events: [event] })];
const readsContext = ({ lastSent }: Outcome): void => expect(lastSent).toContain("The build is red.");
const isNotAsked = ({ made, requests }: Outcome): void => expect([made, requests.length]).toEqual([false, 0]);
const fails = (client: Client) => ({ script: [client.failing ?? client.shell("exit 3")] });
const prints = (client: Client) => ({ script: [client.shell("echo xy''zzy")] });
/** A subagent that says this. Codex ends with its subagent, which the model knows by the first request without a step. */
const delegates =
  (...script: readonly string[]) =>
  (client: Client) => ({
    script: [client.startSubagent?.("Do the SUBTASK.") ?? "There are no subagents."],
    subagent: { word: "SUBTASK", script },
  });
const replies = (event: string, reply: object) => ({
  files: { "reply.sh": `#!/bin/sh\ncat <<'END'\n${JSON.stringify(reply)}\nEND\n` },
  hooks: [command("hook", "reply.sh", { events: [event] })],
});
const modifies = (event: string, modified_data: object) =>
  replies(event, { action: "modify", modified_data });

/** The effects that no scenario of all agents shows. */
const MORE: Readonly<Record<Cell, Scenario>> = {
  "SessionStart.context": {
    sentence: "has the model read the context of a session's start",
    hooks: on("SessionStart", 'session_id exists -> context("The build is red.")'),
    holds: readsContext,
  },
  "SessionStart.abort": {
    sentence: "makes no request when a hook ends the run at its start",
    hooks: on("SessionStart", 'session_id exists -> stop("Enough.")'),
    holds: isNotAsked,
  },
  "UserPromptSubmit.rewrite": {
    sentence: "sends a prompt as it was rewritten",
    ...modifies("UserPromptSubmit", { prompt: "Paint the fence." }),
    holds: ({ lastSent }) => expect(lastSent).toContain("Paint the fence."),
  },
  "UserPromptSubmit.abort": {
    sentence: "makes no request when a hook ends the run at a prompt",
    hooks: on("UserPromptSubmit", 'prompt contains "begin" -> stop("Enough.")'),
    holds: isNotAsked,
  },
  "PreModelRequest.abort": {
    sentence: "makes no request when a hook ends the run before it",
    hooks: on("PreModelRequest", 'session_id exists -> stop("Enough.")'),
    holds: isNotAsked,
  },
  "StreamDelta.abort": {
    sentence: "does not run a call when a hook ends the run at the model's answer",
    hooks: on("StreamDelta", 'session_id exists -> stop("Enough.")'),
    holds: ({ made, requests }) => expect([made, requests.length]).toEqual([false, 1]),
  },
  "PreToolUse.context": {
    sentence: "has the model read the context of a call",
    hooks: on("PreToolUse", 'command contains "made" -> context("The build is red.")'),
    holds: (outcome) => {
      expect(outcome.made).toBe(true);
      readsContext(outcome);
    },
  },
  "PreToolUse.abort": {
    sentence: "runs no call when a hook ends the run before it",
    hooks: on("PreToolUse", 'command contains "made" -> stop("Enough.")'),
    holds: ({ made, requests }) => expect([made, requests.length]).toEqual([false, 1]),
  },
  "PostToolUse.deny": {
    sentence: "has the model read why a result was refused",
    hooks: on("PostToolUse", 'command contains "made" -> deny("The build is red.")'),
    holds: readsContext,
  },
  "PostToolUse.rewrite": {
    sentence: "has the model read another result in place of the tool's",
    ...modifies("PostToolUse", { tool_response: "REPLACED" }),
    given: prints,
    holds: ({ lastSent }) =>
      expect([lastSent.includes("REPLACED"), lastSent.includes("xyzzy")]).toEqual([true, false]),
  },
  "PostToolUse.context": {
    sentence: "has the model read the context of a result",
    hooks: on("PostToolUse", 'command contains "made" -> context("The build is red.")'),
    holds: readsContext,
  },
  "PostToolUse.abort": {
    sentence: "asks the model no more when a hook ends the run after a call",
    hooks: on("PostToolUse", 'command contains "made" -> stop("Enough.")'),
    holds: ({ made, requests }) => expect([made, requests.length]).toEqual([true, 1]),
  },
  "PostToolUseFailure.context": {
    sentence: "has the model read the context of a failed call",
    hooks: on("PostToolUseFailure", 'error exists -> context("The build is red.")'),
    given: fails,
    holds: readsContext,
  },
  "PostToolUseFailure.rewrite": {
    sentence: "has the model read another error in place of the tool's",
    ...modifies("PostToolUseFailure", { error: "The build is red." }),
    given: fails,
    holds: readsContext,
  },
  "PostToolUseFailure.abort": {
    sentence: "asks the model no more when a hook ends the run after a failed call",
    hooks: on("PostToolUseFailure", 'error exists -> stop("Enough.")'),
    given: fails,
    holds: ({ requests }) => expect(requests).toHaveLength(1),
  },
  "PostToolBatch.context": {
    sentence: "has the model read the context of all calls of a message",
    hooks: on("PostToolBatch", 'session_id exists -> context("The build is red.")'),
    holds: readsContext,
  },
  "PostToolBatch.abort": {
    sentence: "asks the model no more when a hook ends the run after the calls of a message",
    hooks: on("PostToolBatch", 'session_id exists -> stop("Enough.")'),
    holds: ({ requests }) => expect(requests).toHaveLength(1),
  },
  "Stop.abort": {
    sentence: "ends a turn when one hook ends the run, whatever another one says",
    files: { "more.sh": "#!/bin/sh\necho 'There is more to do.' >&2\nexit 2\n" },
    hooks: [
      command("more", "more.sh", { events: ["Stop"] }),
      inline("ends", 'session_id exists -> stop("Enough.")', { events: ["Stop"] }),
    ],
    given: () => ({ script: ["one", "two"] }),
    holds: ({ requests }) => expect(requests).toHaveLength(1),
  },
  "SubagentStart.context": {
    sentence: "has a subagent read the context of its start",
    hooks: on("SubagentStart", 'session_id exists -> context("The build is red.")'),
    given: delegates(),
    holds: ({ requests }) => expect(JSON.stringify(requests)).toContain("The build is red."),
  },
  "SubagentStop.keep_going": {
    sentence: "has a subagent go on when a hook says so",
    files: SCENARIOS.stop.files,
    hooks: [command("once", "once.sh", { events: ["SubagentStop"] })],
    given: delegates("one"),
    holds: ({ requests }) => expect(JSON.stringify(requests)).toContain("There is more to do."),
  },
  "cursor:beforeShellExecution.deny": {
    sentence: "does not run a line that a hook on the shell refuses",
    hooks: on("cursor:beforeShellExecution", 'command contains "made" -> deny("No.")'),
    holds: ({ made, requests }) => expect([made, requests.length > 1]).toEqual([false, true]),
  },
};

/** The effects that the scenarios of all agents show. */
const SHOWN_BY: Readonly<Record<Cell, ScenarioName>> = {
  "UserPromptSubmit.deny": "prompt_block",
  "UserPromptSubmit.context": "context",
  "PreToolUse.deny": "deny",
  "PreToolUse.rewrite": "rewrite",
  "PreToolUse.ask": "ask",
  "Stop.keep_going": "stop",
};

/** True when an effect is shown on the real program of every agent whose table lists it. */
export function isShown(cell: string): boolean {
  return Object.hasOwn(MORE, cell) || Object.hasOwn(SHOWN_BY, cell);
}

/** The cells that an agent's table lists as seen in a run. */
export function provenCells({ name, events }: AgentTable): readonly string[] {
  return Object.entries(events).flatMap(([native, { event = `${name}:${native}`, says, documented }]) =>
    Object.keys(says)
      .filter((effect) => documented !== true && !documented?.some((one) => one === effect))
      .map((effect) => `${event}.${effect}`),
  );
}

/** Shows every effect that an agent's table lists, as far as no scenario of all agents does. */
export function effectSuite(client: Client): void {
  describe(`${client.title}, as its table says,`, async () => {
    const { table } = await integrationOf(client.agent);
    for (const cell of new Set(provenCells(table))) {
      const scenario: Scenario | undefined = Object.hasOwn(MORE, cell) ? Reflect.get(MORE, cell) : undefined;
      if (scenario !== undefined)
        it(scenario.sentence, async () => scenario.holds(await play(client, scenario)));
    }
  });
}
