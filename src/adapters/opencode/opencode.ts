import type { Adapter } from "../adapter.ts";
import { tableCodec } from "../codec/table-codec.ts";
import { forkTable } from "../plugins/opencode/table.ts";

export const opencodeTable = forkTable({
  name: "opencode",
  title: "opencode",
  evidence: { version: "1.18.34", date: "2026-11-19" },
});

export const opencode: Adapter = Object.assign(tableCodec(opencodeTable), {
  otherVariables: ["OPENCODE", "OPENCODE_CLIENT"],
});
