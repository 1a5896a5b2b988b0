import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentTable } from "../../src/adapters/codec/agent-table.ts";
import { integrationOf } from "../../src/adapters/integrations.ts";
import { AGENT_NAMES } from "../../src/core/events/agent-names.ts";
import { isShown, provenCells } from "../clients/support/effects.ts";

/** The events of which a payload was recorded from the real program. */
function recorded(table: AgentTable): ReadonlySet<string> {
  const folder = join(import.meta.dirname, "../fixtures", table.name);
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const { eventOf = ({ hook_event_name }) => String(hook_event_name) } = table;
  return new Set(
    files
      // These were made by a part of the program alone, not by a run.
      .filter((name) => !name.startsWith("engine."))
      .map((name) => eventOf(JSON.parse(readFileSync(join(folder, name), "utf8"))) ?? name),
  );
}

/** What tests of one agent alone show: replies*.test.ts and losses.test.ts of Claude Code. */
const OWN_TESTS: Readonly<Record<string, readonly string[]>> = {
  claude: [
    "PreToolUse.allow",
    "PermissionRequest.allow",
    "PermissionRequest.deny",
    "PermissionRequest.rewrite",
    "PreCompact.deny",
    "PreCompact.context",
    "claude:Elicitation.answer",
    "claude:Elicitation.deny",
    "claude:ElicitationResult.answer",
    "claude:ElicitationResult.deny",
    "claude:WorktreeCreate.deny",
  ],
};

const tables = await Promise.all(AGENT_NAMES.map(async (name) => (await integrationOf(name)).table));

describe.each(tables.filter(({ evidence }) => evidence.documented !== true))(
  "the table of $title",
  (table) => {
    it("says of every event without a recorded payload that it is only documented, and of no other", () => {
      const seen = recorded(table);
      const documented = Object.entries(table.events).filter(([, row]) => row.documented === true);
      expect(documented.map(([native]) => native).toSorted()).toEqual(
        Object.keys(table.events)
          .filter((native) => !seen.has(native))
          .toSorted(),
      );
    });

    it("marks every effect that no test on the real program shows", () => {
      const own = OWN_TESTS[table.name] ?? [];
      expect(provenCells(table).filter((cell) => !isShown(cell) && !own.includes(cell))).toEqual([]);
    });
  },
);
