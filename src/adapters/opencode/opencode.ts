import type { Adapter } from "../adapter.ts";
import { tableCodec } from "../codec/table-codec.ts";
import { opencodeTable } from "../plugins/opencode/table.ts";

export const table = opencodeTable({
  name: "opencode",
  title: "opencode",
  evidence: { version: "1.18.18", date: "2026-11-16" },
});

/** The adapter of opencode. */
export const opencode: Adapter = tableCodec(table);
