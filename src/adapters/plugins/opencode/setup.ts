import { ask, isWanted, textOf } from "../ask.ts";
import { copyOf, settle } from "../seal.ts";

/*
 * The plug-in in opencode 2, from its documentation and from plug-ins of others: no program of opencode 2 was run with it.
 * There it asks about calls and their results; prompts and the end of a turn are not asked about.
 */

type Register<Event> = (name: string, handler: (event: Event) => Promise<void>) => Promise<unknown>;

interface Call {
  readonly tool: string;
  readonly sessionID: string;
  readonly id: string;
  readonly input?: unknown;
}

interface Result extends Call {
  readonly status?: string;
  readonly error?: { readonly message?: string };
  result?: { content?: unknown };
}

/** A permission that a call needs: asked for after the hook on the call. */
interface Evaluation {
  readonly source?: { readonly id?: string };
  effect?: string;
  message?: string;
}

/** What opencode 2 gives a plug-in. opencode 1 calls `setup` too, and gives it neither tools nor sessions. */
export interface Host {
  readonly location?: { readonly directory?: string };
  readonly tool?: { readonly hook?: Register<Call & Result> };
  readonly permission?: { readonly hook?: Register<Evaluation> };
  readonly session?: { get?(request: { sessionID: string }): Promise<{ parentID?: string } | undefined> };
}

/** Tools that have another name in opencode 2; hooks know the old one. */
const NAMES: Readonly<Record<string, string>> = { shell: "bash", subagent: "task" };

export async function setup({ location, tool, permission, session }: Host): Promise<void> {
  if (typeof tool?.hook !== "function") return;
  /** The calls that were refused, and why. */
  const refused = new Map<string, string>();

  const fieldsOf = async ({ tool: name, sessionID, id, input }: Call) => {
    const root = await rootOf(sessionID, session);
    return {
      session_id: root,
      cwd: location?.directory ?? process.cwd(),
      ...(root === sessionID ? {} : { agent_id: sessionID, parent_agent_id: root }),
      tool_name: NAMES[name] ?? name,
      tool_use_id: id,
      tool_input: isObject(input) ? copyOf(input) : {},
    };
  };

  await tool.hook("execute.before", async (event) => {
    const fields = await fieldsOf(event);
    if (!isWanted("tool.execute.before", fields.tool_name)) return;
    const { deny, context, input } = await ask("tool.execute.before", fields);
    if (deny !== undefined) {
      const reason = [deny, context].filter((text) => text !== undefined).join("\n\n");
      refused.set(event.id, reason);
      throw new Error(reason);
    }
    if (isObject(event.input))
      settle(event.input, input ? { ...input } : fields.tool_input, (message) => console.error(message));
  });

  // Should a version run a call whose hook has failed, it gets no permission.
  await permission?.hook?.("evaluate", async (event) => {
    const reason = refused.get(event.source?.id ?? "");
    if (reason === undefined) return;
    event.effect = "deny";
    event.message = reason;
  });

  await tool.hook("execute.after", async (event) => {
    refused.delete(event.id);
    const { result } = event;
    if (event.status === "error" || result === undefined) return;
    const reply = await ask("tool.execute.after", {
      ...(await fieldsOf(event)),
      tool_response: result.content ?? null,
    });
    const added = [reply.deny, reply.context].filter((text) => text !== undefined).map(asText);
    if (reply.output === undefined && added.length === 0) return;
    const content = reply.output === undefined ? result.content : reply.output;
    result.content = [...(Array.isArray(content) ? content : [asText(textOf(content ?? ""))]), ...added];
  });
}

/** A subagent has a session of its own. */
async function rootOf(sessionID: string, session: Host["session"]): Promise<string> {
  const found = await session?.get?.({ sessionID }).catch(() => undefined);
  return found?.parentID === undefined ? sessionID : rootOf(found.parentID, session);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function asText(text: string) {
  return { type: "text", text };
}
