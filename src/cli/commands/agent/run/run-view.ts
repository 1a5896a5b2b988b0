import { isRecord } from "../../../../core/base/json.ts";
import type { StoredMessage } from "../../../../core/contracts/transcript.ts";
import type { LostCall } from "../../../../terminal/cells/state.ts";
import type { RunView } from "../../../../terminal/run/run-view.ts";
import type { Screen } from "../../../command-line/screen/screen.ts";
import { harmless, yellow } from "../../../command-line/screen/text.ts";

export async function runViewOn(screen: Screen, folder: string, signal: AbortSignal): Promise<RunView> {
  const place = { folder, paint: screen.paint, now: () => Date.now() };
  if (screen.interactive) {
    const { watchedRun } = await import("../../../../terminal/screens.ts");
    // On a screen that reads keys, Ctrl-C is one of them.
    return watchedRun({ ...place, signal, interrupt: () => process.kill(process.pid, "SIGINT") });
  }
  const { printedRun } = await import("../../../../terminal/run/printed-run.ts");
  return printedRun({
    ...place,
    width: screen.width,
    print: screen.print,
    warn: (text) => screen.tell(yellow(harmless(text))),
  });
}

/** The calls of a stored conversation, by id: a run that continues it shows those whose results were lost. */
export function storedCalls(messages: readonly StoredMessage[]): Readonly<Record<string, LostCall>> {
  const calls: Record<string, LostCall> = {};
  for (const message of messages) {
    const parts = "parts" in message && Array.isArray(message.parts) ? message.parts : [];
    for (const part of parts) {
      if (!isRecord(part) || part.type !== "tool_call" || typeof part.tool_use_id !== "string") continue;
      if (isRecord(part.tool_input) && typeof part.tool_name === "string")
        calls[part.tool_use_id] = { name: part.tool_name, input: part.tool_input };
    }
  }
  return calls;
}
