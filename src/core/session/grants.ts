import { sameJson } from "../base/json.ts";
import type { ApprovalScope } from "../contracts/approval.ts";
import type { ToolInput } from "../contracts/tool-types.ts";

/** A call that somebody wants a human asked about. */
export interface AskedCall {
  readonly tool_name: string;
  readonly tool_input: ToolInput;
  /** Who asks: hooks, a rule, the mode. */
  readonly asked_by: readonly string[];
}

/**
 * What humans have granted for a session. A grant for a call covers the same input again; a grant for a tool covers what the
 * same hook, rule or mode asks about this tool later, and nothing that somebody else asks.
 */
export class Grants {
  readonly #calls: Pick<AskedCall, "tool_name" | "tool_input">[] = [];
  readonly #tools = new Map<string, Set<string>>();

  add({ tool_name, tool_input, asked_by }: AskedCall, scope: ApprovalScope = "once"): void {
    if (scope === "session") this.#calls.push({ tool_name, tool_input });
    if (scope !== "tool") return;
    const askers = this.#tools.get(tool_name) ?? new Set();
    for (const asker of asked_by) askers.add(asker);
    this.#tools.set(tool_name, askers);
  }

  covers({ tool_name, tool_input, asked_by }: AskedCall): boolean {
    const askers = this.#tools.get(tool_name);
    if (askers !== undefined && asked_by.length > 0 && asked_by.every((asker) => askers.has(asker)))
      return true;
    return this.#calls.some((call) => call.tool_name === tool_name && sameJson(call.tool_input, tool_input));
  }
}
