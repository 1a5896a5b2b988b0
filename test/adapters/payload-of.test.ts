import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AGENT_NAMES, allAdapters, payloadOf } from "../../src/adapters/agents.ts";
import { integrationOf } from "../../src/adapters/integrations.ts";
import { isRecord } from "../../src/core/base/json.ts";
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
