import type { Adapter } from "../adapter.ts";
import { tableCodec } from "../codec/table-codec.ts";
import { opencodeTable } from "../plugins/opencode/table.ts";

export const table = opencodeTable({
  name: "kilo",
  title: "Kilo",
  evidence: { version: "7.7.9", date: "2026-11-16" },
});

/** The adapter of Kilo. */
export const kilo: Adapter = tableCodec(table);
