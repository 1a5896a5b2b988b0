import type { NativeReply } from "../adapter.ts";
import type { AgentTable, Draft, ReplyForm } from "../codec/agent-table.ts";
import { contextText } from "../codec/reply-forms.ts";

/** The ways to answer a plug-in of ours. Each writes a key of `PluginReply`. */
const PLUGIN_FORMS = {
  allow: ({ top }) => {
    top.allow = true;
  },
  deny: ({ top }, { reason }) => {
    top.deny = reason ?? "Denied by a hook.";
  },
  ask: ({ top }, { reason }) => {
    top.ask = reason ?? "A hook asks whether this may run.";
  },
  input: ({ top }, { input }) => {
    top.input = input;
  },
  /** The text of a failed call is its result too. */
  output: ({ top }, { output, error }) => {
    top.output = output ?? error;
  },
  prompt: ({ top }, { prompt }) => {
    top.prompt = prompt;
  },
  context: ({ top }, decision) => {
    top.context = contextText(decision);
  },
  keep_going: ({ top }, { keep_going }) => {
    top.keep_going = keep_going?.reason;
  },
  end: ({ top }, { abort, reason }) => {
    top.end = abort?.reason ?? reason ?? "A hook ended the run.";
  },
} as const satisfies Record<string, ReplyForm>;

export type PluginForm = keyof typeof PLUGIN_FORMS;

export function pluginTable(
  table: Pick<AgentTable<PluginForm>, "name" | "title" | "evidence" | "asks" | "events" | "unfit">,
): AgentTable<PluginForm> {
  return {
    ...table,
    // Our own plug-in sends no event that is not in its table.
    unknown: { deny: "deny" },
    forms: PLUGIN_FORMS,
    write: ({ top, messages }: Draft, _native, losses): NativeReply => {
      const reply = messages.length === 0 ? top : { ...top, messages };
      const stdout = Object.keys(reply).length === 0 ? "" : JSON.stringify(reply);
      return { stdout, stderr: "", exit_code: 0, losses };
    },
  };
}
