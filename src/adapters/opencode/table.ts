import { forkTable } from "../plugins/opencode/table.ts";

export const opencodeTable = forkTable({
  name: "opencode",
  title: "opencode",
  evidence: { version: "1.18.18", date: "2026-11-16" },
});
