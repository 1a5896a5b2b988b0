import { ignore } from "../../../core/base/error-text.ts";
import type { HookRun } from "../../../core/decide/decision.ts";
import type { RunEvent } from "../../../core/decide/observers.ts";
import type { AgentItem, AgentResult, ItemListener } from "../../items.ts";
import type { AgentSession } from "./session.ts";

/** Adds a listener for everything in this session, runs of hooks included. Returns a function that removes it. */
export function listen({ listeners, hooks, identity }: AgentSession, onItem: ItemListener): () => void {
  // A function of its own, so that a listener that is added twice can be removed once.
  const listener: ItemListener = (item) => onItem(item);
  listeners.add(listener);
  // Hook sets are often shared with other sessions, and outlive them: this must not hold the whole session.
  const unfollow = hooks.observe({
    onRun: (event) => {
      if (event.session_id !== identity.session_id) return;
      try {
        onItem(hookItem(event));
      } catch {
        // See ItemListener.
      }
    },
  });
  return () => {
    listeners.delete(listener);
    unfollow();
  };
}

function hookItem(event: RunEvent): AgentItem {
  const { run_id, hook, hook_event_name, tool_use_id } = event;
  const about = { run_id, hook, hook_event_name, tool_use_id };
  if (event.type === "begin") return { type: "hook_begin", ...about, command: event.program?.command };
  if (event.type === "end") return { type: "hook_end", ...about, run: shownRun(event.run, hook_event_name) };
  return { type: "hook_output", ...about, stream: event.stream, text: event.text };
}

/** A run as listeners see it: without results of tools and answers, from which a hook may remove something. */
function shownRun(run: HookRun, hook_event_name: string): HookRun {
  if (!hook_event_name.startsWith("PostToolUse") && hook_event_name !== "PostGeneration") return run;
  const { input_before: _, input_after: _after, ...shown } = run;
  return shown;
}

/**
 * Yields the items of a run. When the reader leaves early, `leave` ends the run.
 *
 * @throws what the run rejects with.
 */
export async function* streamItems(
  start: (onItem: ItemListener) => Promise<AgentResult>,
  leave: () => void,
): AsyncGenerator<AgentItem, void, void> {
  const items: AgentItem[] = [];
  let ended = false;
  let wake = (): void => {};
  const onItem = (item: AgentItem): void => {
    items.push(item);
    wake();
  };
  const running = start(onItem).finally(() => {
    ended = true;
    wake();
  });
  // A caller that has stopped reading gets no error any more.
  ignore(running);
  let read = false;
  try {
    while (!ended || items.length > 0) {
      yield* items.splice(0);
      if (ended || items.length > 0) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    read = true;
  } finally {
    if (!read) leave();
    await running;
  }
}
