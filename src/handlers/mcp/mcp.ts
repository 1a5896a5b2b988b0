import { isRecord } from "../../core/base/json.ts";
import { didYouMean } from "../../core/base/suggest.ts";
import { capText } from "../../core/base/text.ts";
import { HookFailureError } from "../../core/events/hook-failure-error.ts";
import type { Outcome } from "../../core/events/outcomes.ts";
import type { AnyEvent } from "../../core/events/payloads.ts";
import type { Handler } from "../../core/ports.ts";
import type { McpCallOptions, McpClient } from "../../node/mcp/mcp-client.ts";
import { McpServerError } from "../../node/mcp/mcp-error.ts";
import { serverProblem } from "../../node/mcp/server-call.ts";
import { subjectOf } from "../../rules/fields/judged-event.ts";
import { failingHandler, type HandlerContext, type HandlerSettings } from "../handler.ts";
import { askAsWritten } from "../written-for.ts";
import { circleMarks, findServer, isInCircle } from "./find-server.ts";
import { compileInput } from "./input-template.ts";
import { readAnswer, refusalsOf, textOf } from "./read-answer.ts";
import { sharedClient } from "./shared-clients.ts";

/** The longest timer: the hook's own timeout ends a call. */
const NO_LIMIT_MILLISECONDS = 2 ** 31 - 1;

/**
 * A hook that decides by calling a tool of an MCP server. The call itself fires no hooks. The server is started or
 * reached at the first event, shared with the other hooks of the set that name it, and never keeps our process alive.
 *
 * @throws TenterhookError `bad_rule` for an input that can't be filled in.
 */
export function mcpHandler(settings: HandlerSettings<"mcp">, { site, ports }: HandlerContext): Handler {
  const { server: name, tool } = settings;
  const fill = compileInput(settings.input);
  const found = findServer(name, site);
  if (found.problem !== undefined) return failingHandler("mcp", "missing", found.problem);
  const { server } = found;
  const { environment } = ports;
  if (isInCircle(server, environment)) {
    return failingHandler(
      "mcp",
      "error",
      `The MCP server ${JSON.stringify(name)} has started this process: asking it here would go on without end.`,
    );
  }
  const place = { name, server, root: site.root, environment, marks: circleMarks(server, environment) };
  const shared = sharedClient(place, ports);
  const problem = serverProblem(place);
  const ask = async (event: AnyEvent, signal: AbortSignal): Promise<readonly Outcome[]> => {
    const refusal = site.refusal?.();
    if (refusal !== undefined) throw new HookFailureError("untrusted", refusal);
    const client = shared.use();
    const options = { signal, milliseconds: NO_LIMIT_MILLISECONDS };
    try {
      const isNative = settings.payload === "native" && isRecord(event.native);
      const asked = isNative ? { ...event.native, ...event } : event;
      const answer = await client.callTool(tool, fill(subjectOf(asked, ports.rules)), options);
      if (!answer.is_error) return readAnswer(answer, event, isNative);
      const problem = `The tool ${JSON.stringify(tool)} failed: ${capText(textOf(answer), 500)}`;
      const failure = await hookFailure(new McpServerError("refused", problem), client, tool, options);
      throw withRefusals(failure, refusalsOf(answer, "the tool failed", event));
    } catch (error) {
      throw error instanceof McpServerError ? await hookFailure(error, client, tool, options) : error;
    }
  };
  return {
    type: "mcp",
    ...(problem === undefined ? {} : { problem }),
    run: (event, context) =>
      askAsWritten(settings, event, context, ports, (asked) => ask(asked, context.signal)),
    health: () => shared.health(),
    close: () => shared.release(),
  };
}

/** Servers report a missing tool in their own words, so the list of tools decides whether it is missing. */
async function hookFailure(
  error: McpServerError,
  client: McpClient,
  tool: string,
  options: McpCallOptions,
): Promise<HookFailureError> {
  const { kind, message } = error;
  if (kind !== "refused") return new HookFailureError(kind, message, { cause: error });
  const tools = await client.listTools(options).catch(() => undefined);
  const names = tools?.map(({ name }) => name);
  if (names === undefined || names.includes(tool))
    return new HookFailureError("error", message, { cause: error });
  const where = `The MCP server ${JSON.stringify(client.name)} has no tool ${JSON.stringify(tool)}.`;
  return new HookFailureError("missing", `${where}${didYouMean(tool, names)}`, { cause: error });
}

function withRefusals({ kind, message, cause }: HookFailureError, refusals: readonly Outcome[]) {
  return new HookFailureError(kind, message, { refusals, cause });
}
