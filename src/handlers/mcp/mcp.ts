import { TenterhookError } from "../../core/errors.ts";
import type { AnyEvent } from "../../core/event-types.ts";
import { HookFailureError } from "../../core/hook-failure-error.ts";
import type { Outcome } from "../../core/outcomes.ts";
import type { Handler } from "../../core/ports.ts";
import { didYouMean } from "../../core/suggest.ts";
import { capText } from "../../core/text.ts";
import type { McpCallOptions, McpClient, McpToolAnswer } from "../../node/mcp/mcp-client.ts";
import { McpServerError } from "../../node/mcp/mcp-error.ts";
import { serverProblem } from "../../node/mcp/server-call.ts";
import { subjectOf } from "../../rules/subject.ts";
import type { HandlerSetting, HandlerSettings } from "../handler-types.ts";
import { readReplyText, readReplyValue } from "../reply/read-reply.ts";
import { circleMarks, isInCircle } from "./circle.ts";
import { findServer } from "./find-server.ts";
import { compileInput } from "./input-template.ts";
import { sharedClient } from "./shared-clients.ts";

/** A reply that is longer is none. */
const MOST_REPLY_CHARACTERS = 1_000_000;
/** The hook's own time limit ends a call; this is only the longest a timer can be. */
const NO_LIMIT_MILLISECONDS = 2 ** 31 - 1;

/**
 * A hook that decides by calling a tool of an MCP server. The call itself fires no hooks. The server is started or
 * reached at the first event, shared with the other hooks of the set that name it, and never keeps our process alive.
 *
 * @throws TenterhookError `invalid_option` or `bad_rule` for a definition that names no server or tool, or an input
 * that can't be filled in.
 */
export function mcpHandler(settings: HandlerSettings, { site, ports }: HandlerSetting): Handler {
  const name = textOf(settings, "server");
  const tool = textOf(settings, "tool");
  const fill = compileInput(settings.input);
  const found = findServer(name, site);
  if (found.problem !== undefined) return failing("missing", found.problem);
  const { server } = found;
  const { environment } = ports;
  if (isInCircle(server, environment)) {
    return failing(
      "error",
      `The MCP server ${JSON.stringify(name)} has started this process: asking it here would go on without end.`,
    );
  }
  const place = { name, server, root: site.root, environment, marks: circleMarks(server, environment) };
  const shared = sharedClient(place, ports);
  const problem = serverProblem(place);
  return {
    type: "mcp",
    ...(problem === undefined ? {} : { problem }),
    run: async (event, { signal }) => {
      const client = shared.use();
      const options = { signal, milliseconds: NO_LIMIT_MILLISECONDS };
      try {
        const answer = await client.callTool(tool, fill(subjectOf(event, ports.rules)), options);
        if (answer.is_error) throw new McpServerError("refused", refusal(tool, answer));
        return readAnswer(answer, event);
      } catch (error) {
        throw await hookFailure(error, client, tool, options);
      }
    },
    health: () => shared.health(),
    close: () => shared.release(),
  };
}

function failing(kind: "missing" | "error", problem: string): Handler {
  return {
    type: "mcp",
    problem,
    run: () => {
      throw new HookFailureError(kind, problem);
    },
  };
}

function textOf(settings: HandlerSettings, key: "server" | "tool"): string {
  const value = settings[key];
  if (typeof value === "string" && value !== "") return value;
  throw new TenterhookError(
    "invalid_option",
    `${key} must name ${key === "server" ? "an MCP server" : "its tool"}.`,
  );
}

function readAnswer({ structured, content }: McpToolAnswer, event: AnyEvent): readonly Outcome[] {
  if (structured !== undefined) return readReplyValue(structured, event);
  const text = said(content);
  if (text.length > MOST_REPLY_CHARACTERS)
    throw new HookFailureError(
      "bad_output",
      `The tool answered more than ${MOST_REPLY_CHARACTERS} characters.`,
    );
  const other = content.find(({ type }) => type !== "text");
  if (other !== undefined && text === "")
    throw new HookFailureError(
      "bad_output",
      `The tool answered ${String(other.type)} where a text was expected.`,
    );
  return readReplyText(text, event);
}

function refusal(tool: string, { content }: McpToolAnswer): string {
  return `The tool ${JSON.stringify(tool)} failed: ${capText(said(content), 500)}`;
}

/** What the hook failed by. Servers say in words of their own that they have no such tool, so they are asked for all. */
async function hookFailure(
  error: unknown,
  client: McpClient,
  tool: string,
  options: McpCallOptions,
): Promise<unknown> {
  if (!(error instanceof McpServerError)) return error;
  const { kind, message } = error;
  if (kind !== "refused") return new HookFailureError(kind, message, { cause: error });
  const tools = await client.listTools(options).catch(() => undefined);
  const names = tools?.map(({ name }) => name);
  if (names === undefined || names.includes(tool))
    return new HookFailureError("error", message, { cause: error });
  const where = `The MCP server ${JSON.stringify(client.name)} has no tool ${JSON.stringify(tool)}.`;
  return new HookFailureError("missing", `${where}${didYouMean(tool, names)}`, { cause: error });
}

function said(content: McpToolAnswer["content"]): string {
  return content.flatMap(({ type, text }) => (type === "text" ? [String(text)] : [])).join("\n");
}
