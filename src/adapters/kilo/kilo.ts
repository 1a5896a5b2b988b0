import type { Adapter } from "../adapter.ts";
import { tableCodec } from "../codec/table-codec.ts";
import { forkTable } from "../plugins/opencode/table.ts";

export const kiloTable = forkTable({
  name: "kilo",
  title: "Kilo",
  evidence: { version: "7.7.9", date: "2026-11-16" },
  // `kilo run` ends with the turn, whatever is added to the session before.
  events: {
    "session.idle": { event: "Stop", says: {} },
    "session.idle.subagent": { event: "SubagentStop", says: {} },
  },
});

export const kilo: Adapter = tableCodec(kiloTable);
