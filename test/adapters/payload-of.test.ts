import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { allAdapters, payloadOf } from "../../src/adapters/agents.ts";
import { integrationOf } from "../../src/adapters/integrations.ts";
import { isRecord } from "../../src/core/base/json.ts";
import { AGENT_NAMES } from "../../src/core/events/agent-names.ts";
import { allow } from "../../src/core/events/outcomes.ts";
import type { AnyEvent } from "../../src/core/events/payloads.ts";
import { pathsOf } from "../../src/core/match/tool-inputs.ts";
import { canonicalToolOf } from "../../src/core/match/tool-names.ts";
import { askTranslated } from "../../src/handlers/translate.ts";
import { readShell } from "../../src/rules/fields/shell-text.ts";

const FIXTURES = join(import.meta.dirname, "../fixtures");
const adapters = new Map((await allAdapters()).map((adapter) => [adapter.name, adapter]));

/** Every recorded payload, as its own agent's adapter reads it. */
const events = AGENT_NAMES.flatMap((sender) =>
  readdirSync(join(FIXTURES, sender)).flatMap((file): (readonly [string, AnyEvent])[] => {
    const payload = JSON.parse(readFileSync(join(FIXTURES, sender, file), "utf8"));
    const event = adapters.get(sender)?.decode(payload, "/home/dev/app");
    const fired = { event_id: "1", seq: 1, timestamp: "2026-11-17T00:00:00.000Z" };
    return event === undefined ? [] : [[`${sender}/${file}`, { ...event, ...fired }]];
  }),
);

const agents = await Promise.all(AGENT_NAMES.map(integrationOf));
const IMPORTED = agents.filter(({ importing }) => importing !== undefined);

/** What a guard or a formatter looks at. */
function essence(
  event: Pick<AnyEvent, "hook_event_name" | "session_id" | "cwd"> & Readonly<Record<string, unknown>>,
) {
  const tool = canonicalToolOf(event) ?? "";
  const isFile = ["Read", "Write", "Edit", "ApplyPatch", "Delete"].includes(tool);
  return {
    event: event.hook_event_name,
    session: event.session_id,
    cwd: event.cwd,
    prompt: event.prompt,
    commands: tool === "Bash" ? readShell(event).texts : [],
    files: isFile
      ? [...new Set(pathsOf(event).map((path) => join(event.cwd, path.replace(event.cwd, ""))))]
      : [],
  };
}

async function translations(agent: string, event: AnyEvent): Promise<readonly AnyEvent[]> {
  const asked: AnyEvent[] = [];
  await askTranslated(agent, event, { payloadOf }, async (translated) => {
    asked.push(translated);
    return [];
  });
  return asked;
}

describe.each(IMPORTED)("the payload for a hook of $table.title", ({ adapter, table }) => {
  const known = new Set<string | undefined>(Object.values(table.events).map(({ event }) => event));
  const foreign = events.filter(
    ([, event]) => event.host !== adapter.name && known.has(event.hook_event_name),
  );

  it.each(foreign)("of %s says to its own adapter what that event says", async (_file, event) => {
    const asked = await translations(adapter.name, event);
    const read = asked.map(({ native }) => essence(adapter.decode(isRecord(native) ? native : {})));
    const all = (key: "commands" | "files") => [...new Set(read.flatMap((one) => one[key]))];
    expect({ ...read[0], commands: all("commands"), files: all("files") }).toEqual(essence(event));
  });
});

describe("an allow", () => {
  const patch = "*** Begin Patch\n*** Add File: a.md\n+a\n*** Add File: .env\n+b\n*** End Patch\n";
  const event: AnyEvent = {
    hook_event_name: "PreToolUse",
    event_id: "1",
    seq: 1,
    timestamp: "2026-11-17T00:00:00.000Z",
    host: "codex",
    session_id: "s",
    cwd: "/home/dev/app",
    tool_name: "apply_patch",
    tool_input: { command: patch },
  };
  const allowing = (pattern: RegExp) =>
    askTranslated("claude", event, { payloadOf }, async ({ tool_input }) =>
      pattern.test(JSON.stringify(tool_input)) ? [allow("It is harmless.")] : [],
    );

  it("of one file of a patch is none of the patch", async () => {
    expect(await allowing(/a\.md/)).toEqual([]);
  });

  it("of all files of a patch is one of the patch", async () => {
    expect(await allowing(/a\.md|\.env/)).toContainEqual(allow("It is harmless."));
  });
});
