import { fileURLToPath } from "node:url";
import { ask, isWanted, textOf } from "../ask.ts";
import { copyOf, settle } from "../seal.ts";
import type { PluginReply } from "../wire.ts";
import { type Client, Sessions } from "./sessions.ts";
import { setup } from "./setup.ts";

interface Part {
  readonly id: string;
  readonly type: string;
  readonly sessionID: string;
  readonly messageID: string;
  text?: string;
  readonly synthetic?: boolean;
}

interface CallInput {
  readonly tool: string;
  readonly sessionID: string;
  readonly callID: string;
  readonly args?: unknown;
}

/** Built-in tools give `output`, tools of MCP servers `content`. */
interface CallResult {
  output?: unknown;
  content?: unknown;
  readonly metadata?: Record<string, unknown>;
}

interface AgentEvent {
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** `opencode run` leaves when a turn ends; there, only the last text of a turn can keep it going. */
const isHeadless = process.argv.includes("run");

/** The plug-in in opencode 1, which stops for good when a hook never returns or `event` throws. */
const server = async ({ client, directory }: { client: Client; directory: string }) => {
  const sessions = new Sessions(client, directory, isHeadless);

  /** Asks about the end of a turn, and lets the agent go on when a hook says so. */
  const stop = async (sessionID: string, text: string | undefined): Promise<void> => {
    const fields = await sessions.fields(sessionID);
    const reply = await ask("agent_id" in fields ? "session.idle.subagent" : "session.idle", {
      ...fields,
      stop_hook_active: sessions.continued.has(sessionID),
      last_assistant_message: text,
    });
    await sessions.show(reply);
    if (reply.keep_going === undefined) sessions.continued.delete(sessionID);
    else {
      sessions.continued.add(sessionID);
      await sessions.send(sessionID, reply.keep_going);
    }
  };

  /** A dialog that waits for the user: a hook may answer it first. */
  const permission = async ({
    id,
    sessionID,
    ...asked
  }: Readonly<Record<string, unknown>>): Promise<void> => {
    const reply = await ask("permission.asked", {
      ...(await sessions.fields(String(sessionID))),
      tool_name: asked.permission,
      tool_input: asked.metadata ?? {},
    });
    await sessions.show(reply);
    await sessions.answer(String(id), reply);
  };

  return {
    "tool.execute.before": async (input: CallInput, output: { readonly args: Record<string, unknown> }) => {
      // Another copy of the plug-in may judge it.
      if (!isWanted("tool.execute.before", input.tool)) return;
      const tool_input = copyOf(output.args);
      const reply = await ask("tool.execute.before", {
        ...(await sessions.fields(input.sessionID)),
        tool_name: input.tool,
        tool_use_id: input.callID,
        tool_input,
      });
      await sessions.show(reply);
      if (reply.deny !== undefined) throw new Error(joined(reply.deny, reply.context));
      settle(
        output.args,
        reply.input ?? tool_input,
        (message) => void sessions.show({ messages: [message] }),
      );
      sessions.keepContext(input.sessionID, reply.context);
    },

    "tool.execute.after": async (input: CallInput, result: CallResult) => {
      const reply = await ask("tool.execute.after", {
        ...(await sessions.fields(input.sessionID)),
        tool_name: input.tool,
        tool_use_id: input.callID,
        tool_input: input.args ?? {},
        tool_response: result.output ?? result.content ?? null,
      });
      await sessions.show(reply);
      if (reply.output !== undefined) setOutput(result, reply.output);
      const added = [reply.deny, sessions.takeContext(input.sessionID), reply.context];
      for (const text of added) if (text !== undefined) addToOutput(result, text);
    },

    "chat.message": async ({ sessionID }: { sessionID: string }, { parts }: { parts: Part[] }) => {
      const [first] = parts;
      const fields = await sessions.fields(sessionID);
      // What starts a subagent is a call of the model, which was asked about; what we sent came from a hook.
      if ("agent_id" in fields || first === undefined || sessions.isSending(sessionID)) return;
      sessions.beginTurn(sessionID, first.messageID);
      if (sessions.begin(sessionID))
        sessions.keepContext(
          sessionID,
          await contextOf(ask("session.created", { ...fields, source: "startup" })),
        );
      const typed = parts.filter(({ type, synthetic }) => type === "text" && synthetic !== true);
      const reply = await ask("chat.message", {
        ...(await sessions.fields(sessionID)),
        prompt: typed.map(({ text }) => text ?? "").join("\n"),
      });
      await sessions.show(reply);
      // The user sees only that something failed.
      if (reply.deny !== undefined) {
        await sessions.show({ messages: [reply.deny] });
        throw new Error(reply.deny);
      }
      if (reply.prompt !== undefined)
        for (const [at, part] of typed.entries()) part.text = at === 0 ? reply.prompt : "";
      const context = joined(sessions.takeContext(sessionID), reply.context);
      const { id, messageID } = parts.at(-1) ?? first;
      // Without ids the prompt fails, and parts are ordered by them.
      if (context !== "")
        parts.push({ id: `${id}0`, type: "text", sessionID, messageID, text: context, synthetic: true });
    },

    "experimental.text.complete": async (
      { sessionID }: { sessionID: string },
      { text }: { text: string },
    ) => {
      if (isHeadless) await stop(sessionID, text);
    },

    "experimental.session.compacting": async (
      { sessionID }: { sessionID: string },
      output: { readonly context: string[] },
    ) => {
      const fields = await sessions.fields(sessionID);
      const context = await contextOf(ask("experimental.session.compacting", { ...fields, trigger: "auto" }));
      if (context !== undefined) output.context.push(context);
    },

    event: async ({ event: { type, properties } }: { event: AgentEvent }) => {
      try {
        if (type === "session.idle" && !isHeadless) await stop(String(properties.sessionID), undefined);
        if (type === "permission.asked") await permission(properties);
      } catch (error) {
        await sessions.show({ messages: [`tenterhook: ${error instanceof Error ? error.message : error}`] });
      }
    },

    dispose: async () => {
      for (const sessionID of sessions.begun)
        await ask("dispose", { ...(await sessions.fields(sessionID)), reason: "other" });
    },
  };

  async function contextOf(asked: Promise<PluginReply>): Promise<string | undefined> {
    const reply = await asked;
    await sessions.show(reply);
    return reply.context;
  }
};

/**
 * The plug-in of opencode and its forks: opencode 1 calls `server`, opencode 2 `setup`. Both drop a plug-in, without a word,
 * for any other export. Its id is its place, so that the user's and the project's count as two.
 */
export default { id: `tenterhook${fileURLToPath(import.meta.url)}`, server, setup };

function joined(...texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined).join("\n\n");
}

/** The interface shows what a command wrote; a rewrite may have taken a secret out of it. */
function setOutput(result: CallResult, output: unknown): void {
  if (result.content !== undefined) {
    result.content = Array.isArray(output) ? output : [{ type: "text", text: textOf(output) }];
    return;
  }
  result.output = textOf(output);
  if (typeof result.metadata?.output === "string") result.metadata.output = result.output;
}

function addToOutput(result: CallResult, text: string): void {
  if (Array.isArray(result.content)) result.content.push({ type: "text", text });
  else result.output = `${textOf(result.output ?? "")}\n\n${text}`;
}
