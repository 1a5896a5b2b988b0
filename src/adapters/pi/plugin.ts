import { ask, askNow, isWanted, textOf } from "../plugins/ask.ts";
import { copyOf, settle } from "../plugins/seal.ts";
import type { PluginReply } from "../plugins/wire.ts";

/** What an extension of pi is given. */
interface Pi {
  on(event: string, handler: (event: PiEvent, context: Context) => unknown): void;
  sendUserMessage(text: string, options: { deliverAs: "followUp" }): void;
}

interface PiEvent {
  readonly toolName?: string;
  readonly toolCallId?: string;
  /** For a call of a script that the model wrote: the call of the script. */
  readonly parentToolCallId?: string;
  readonly input?: Record<string, unknown>;
  readonly content?: readonly unknown[];
  readonly isError?: boolean;
  readonly text?: string;
  readonly source?: string;
  readonly reason?: string;
  readonly toolResults?: readonly unknown[];
  readonly message?: { readonly content?: unknown; readonly stopReason?: string };
}

interface Context {
  readonly cwd: string;
  readonly hasUI: boolean;
  abort(): void;
  readonly ui: {
    confirm(title: string, message: string): Promise<boolean>;
    notify(message: string, kind: "warning"): void;
  };
  readonly sessionManager: { getSessionId(): string; getSessionFile(): string | undefined };
}

/** Ends of a turn that are not an answer of the model. */
const BROKEN_OFF: ReadonlySet<string | undefined> = new Set(["aborted", "error"]);

/**
 * The extension of pi. pi lets a prompt pass when its handler throws, and ends without a word when a handler never
 * returns: `ask` always answers.
 */
export default function tenterhook(pi: Pi): void {
  /** Context that waits for the next text for the model. */
  let waiting: readonly string[] = [];
  let turn = 0;
  let continued = false;

  const keep = ({ context }: PluginReply): void => {
    if (context !== undefined) waiting = [...waiting, context];
  };
  const take = (): readonly string[] => {
    const texts = waiting;
    waiting = [];
    return texts;
  };
  const fields = ({ cwd, hasUI, sessionManager }: Context) => {
    const session_id = sessionManager.getSessionId();
    const transcript_path = sessionManager.getSessionFile();
    return {
      session_id,
      cwd,
      turn_id: `${session_id}-${turn}`,
      has_ui: hasUI,
      transcript_path,
    };
  };
  const asked = async (name: string, context: Context, more: object): Promise<PluginReply> => {
    const reply = await ask(name, { ...fields(context), ...more });
    show(reply.messages ?? [], context);
    if (reply.end !== undefined) {
      show([reply.end], context);
      context.abort();
    }
    return reply;
  };

  pi.on("session_start", async ({ reason }, context) => {
    const source = reason === "resume" ? "resume" : "startup";
    keep(await asked("session_start", context, { source }));
  });

  pi.on("session_shutdown", async (_event, context) => {
    await asked("session_shutdown", context, { reason: "other" });
  });

  pi.on("input", async ({ text = "", source }, context) => {
    // What an extension sends is no prompt of the user.
    if (source === "extension") return undefined;
    turn += 1;
    continued = false;
    const reply = await asked("input", context, { prompt: text });
    if (reply.deny !== undefined) {
      show([reply.deny], context);
      return { action: "handled" };
    }
    keep(reply);
    return reply.prompt === undefined ? undefined : { action: "transform", text: reply.prompt };
  });

  pi.on("before_agent_start", () => {
    const texts = take();
    if (texts.length === 0) return undefined;
    return { message: { customType: "tenterhook", content: texts.join("\n\n"), display: false } };
  });

  pi.on("tool_call", async ({ toolName, toolCallId, parentToolCallId, input = {} }, context) => {
    // Another copy of the extension may judge it.
    if (!isWanted("tool_call", toolName)) return undefined;
    const tool_input = copyOf(input);
    const call = {
      tool_name: toolName,
      tool_use_id: toolCallId,
      parent_tool_use_id: parentToolCallId,
      tool_input,
    };
    const reply = await asked("tool_call", context, call);
    const refused = reply.deny ?? reply.end;
    if (refused !== undefined) return { block: true, reason: refused };
    if (reply.ask !== undefined && !(await context.ui.confirm(`Run ${toolName}?`, reply.ask)))
      return { block: true, reason: `The user refused: ${reply.ask}` };
    settle(input, reply.input ?? tool_input, (message) => show([message], context));
    keep(reply);
    return undefined;
  });

  pi.on("tool_result", async ({ toolName, toolCallId, input = {}, content = [], isError }, context) => {
    const call = { tool_name: toolName, tool_use_id: toolCallId, tool_input: input };
    const reply =
      isError === true
        ? await asked("tool_result.error", context, { ...call, error: textIn(content) })
        : await asked("tool_result", context, { ...call, tool_response: content });
    const added = [...(reply.deny === undefined ? [] : [reply.deny]), ...take()];
    if (reply.context !== undefined) added.push(reply.context);
    if (reply.output === undefined && added.length === 0) return undefined;
    const rewritten = reply.output === undefined ? content : contentOf(reply.output);
    return { content: [...rewritten, ...added.map((text) => ({ type: "text", text }))] };
  });

  pi.on("session_before_compact", async (_event, context) => {
    const { deny } = await asked("session_before_compact", context, { trigger: "auto" });
    return deny === undefined ? undefined : { cancel: true };
  });

  pi.on("turn_end", async ({ toolResults = [], message }, context) => {
    if (toolResults.length > 0 || BROKEN_OFF.has(message?.stopReason)) return;
    const end = {
      ...fields(context),
      stop_hook_active: continued,
      last_assistant_message: textIn(message?.content),
    };
    // Without a terminal pi ends as soon as the model has answered: it waits for no handler.
    const reply = context.hasUI ? await ask("turn_end", end) : askNow("turn_end", end);
    show(reply.messages ?? [], context);
    continued = reply.keep_going !== undefined;
    if (reply.keep_going !== undefined) pi.sendUserMessage(reply.keep_going, { deliverAs: "followUp" });
  });
}

function show(messages: readonly string[], { hasUI, ui }: Context): void {
  for (const message of messages) {
    if (hasUI) ui.notify(message, "warning");
    else process.stderr.write(`${message}\n`);
  }
}

function contentOf(output: unknown): readonly unknown[] {
  return Array.isArray(output) ? output : [{ type: "text", text: textOf(output) }];
}

function textIn(content: unknown): string {
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  return parts
    .map((part) => (typeof part === "object" && part !== null && "text" in part ? String(part.text) : ""))
    .join("");
}
