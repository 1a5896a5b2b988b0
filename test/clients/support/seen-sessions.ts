import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isRecord } from "../../../src/core/base/json.ts";
import type { ServerRequest } from "../../../src/know/prove/model/model-server.ts";
import { type ClaudeRun, runClaude, say } from "./claude.ts";
import type { Step } from "./client.ts";
import { hookedProject, markOf, setTurn } from "./hooked-project.ts";
import { FRAME, lastMark, lastOf, plain, sentIn, textsIn, unique, words } from "./sent-texts.ts";
import type { Seen, Shape, Way } from "./shapes.ts";

/** What the model does in a turn on such an event, before it says that it is done. */
const CALLS: Readonly<Record<string, (mark: string) => Step>> = {
  PreToolUse: (mark) => bash(`touch ${mark}`),
  PermissionRequest: (mark) => bash(`touch ${mark}`),
  PostToolUse: (mark) => bash(`touch ${mark}`),
  PostToolBatch: (mark) => bash(`touch ${mark}`),
  PostToolUseFailure: (mark) => bash(`touch ${mark}; exit 3`),
  SubagentStart: subagent,
  SubagentStop: subagent,
  Notification: elicitation,
  ElicitationResult: elicitation,
};

/** How a session is run: with more keys of the hook, a pause between two turns, arguments. */
interface Session extends Pick<ClaudeRun, "args"> {
  readonly handler?: object;
  readonly pause?: number;
}

/** Runs a turn for each shape in one session of the real Claude Code, where a hook on the event has that shape. */
export async function seenBy(
  way: Way,
  event: string,
  given: readonly Shape[],
  { handler = {}, pause = 0, args = [] }: Session = {},
): Promise<readonly Seen[]> {
  // The first turn of a session has texts of Claude Code's own.
  const shapes = [{}, ...given];
  const project = await hookedProject(way, { [event]: handler }, shapes);
  const started: string[] = [];
  const results: string[] = [];
  const asked: string[][] = shapes.map(() => []);
  const human = humanAsked((input) => asked[results.length]?.push(plain(JSON.stringify(input), project)));
  const host: ClaudeRun["host"] = (message, child) => {
    human(message, child);
    if (message.type !== "result") return;
    results.push(String(message.result ?? message.subtype));
    const next = results.length;
    if (next === shapes.length) return void child.stdin.end();
    setTurn(project, next);
    const prompt = { type: "user", message: { role: "user", content: markOf(next) } };
    setTimeout(() => say(child, prompt), pause);
  };
  const model = (request: ServerRequest): Step => {
    const mark = lastMark(request);
    const call = CALLS[event];
    const isFirst = !started.includes(mark);
    started.push(mark);
    return call !== undefined && isFirst ? call(mark) : `done ${mark}`;
  };
  const { requests } = await runClaude({ project, host, model, args, mode: "default", prompt: markOf(0) });
  return given.map((_, index) => ({
    ran: existsSync(join(project.cwd, markOf(index + 1))),
    asked: asked[index + 1] ?? [],
    sent: sentIn(requests, markOf(index + 1), project),
    result: words(plain(results[index + 1] ?? "none", project)).join("\n"),
  }));
}

/** How the calls of a session without a host are made. */
interface Calls extends Pick<ClaudeRun, "args" | "mode"> {
  readonly call?: (mark: string) => Step;
}

/** The same for a session without a host, where all calls are of one turn: hooks are asked for permission only there. */
export async function seenWithoutHost(
  way: Way,
  event: string,
  shapes: readonly Shape[],
  { call = (mark) => bash(`touch ${mark}`), mode = "default", args = [] }: Calls = {},
): Promise<readonly Seen[]> {
  const project = await hookedProject(way, { [event]: {} }, shapes);
  let turn = -1;
  const model = (): Step => {
    turn += 1;
    if (turn < shapes.length) setTurn(project, turn);
    return turn < shapes.length ? call(markOf(turn)) : "done";
  };
  const { requests } = await runClaude({ project, model, mode, args, prompt: "Go." });
  const results = requests.map(({ body }) => textsIn(lastOf(body.messages)));
  return shapes.map((_, index) => ({
    ran: existsSync(join(project.cwd, markOf(index))),
    asked: [],
    sent: unique((results[index + 1] ?? []).flatMap((text) => words(plain(text, project)))),
    result: results.length > index + 1 ? "went on" : "ended",
  }));
}

/** A session for each shape, with one turn. */
export async function seenAtStart(
  way: Way,
  event: string,
  shapes: readonly Shape[],
): Promise<readonly Seen[]> {
  const seen: Seen[] = [];
  for (const shape of shapes) {
    const project = await hookedProject(way, { [event]: {} }, [shape]);
    const { requests } = await runClaude({ project, prompt: "Go." });
    const texts = requests.flatMap(({ body }) => textsIn(body.messages)).filter((text) => FRAME.test(text));
    const sent = unique(texts.flatMap((text) => words(plain(text, project))));
    seen.push({ ran: false, asked: [], sent, result: String(requests.length) });
  }
  return seen;
}

/** A session for each shape, which is compacted after its first turn. `ran`: a summary was asked for. */
export async function seenCompacting(
  way: Way,
  event: string,
  shapes: readonly Shape[],
): Promise<readonly Seen[]> {
  const seen: Seen[] = [];
  for (const shape of shapes) {
    const project = await hookedProject(way, { [event]: {} }, [shape]);
    const results: string[] = [];
    const host: ClaudeRun["host"] = (message, child) => {
      if (message.type !== "result") return;
      results.push(String(message.result ?? message.subtype));
      if (results.length === 2) return void child.stdin.end();
      say(child, { type: "user", message: { role: "user", content: `/compact ${markOf(0)}` } });
    };
    const { requests } = await runClaude({ project, host, mode: "default" });
    const last = textsIn(requests.at(-1)?.body.messages).at(-1) ?? "";
    const [, added] = /Additional Instructions:\n(.*?)\n\nREMINDER/s.exec(last) ?? [];
    const sent = added === undefined ? [] : plain(added, project).split("\n\n");
    const result = plain(results[1] ?? "none", project).replace(/\[.*\]: /, "");
    seen.push({ ran: added !== undefined, asked: [], sent, result });
  }
  return seen;
}

function bash(command: string): Step {
  return [["Bash", { command, description: "Run it" }]];
}

const ELICIT = fileURLToPath(new URL("../../support/mcp-servers/elicit.mjs", import.meta.url));

/** The arguments for a server that asks the user something, and a call of it. */
export const ELICITING = [
  "--mcp-config",
  JSON.stringify({ mcpServers: { elicit: { command: process.execPath, args: [ELICIT] } } }),
];
export function elicitation(message: string): Step {
  return [["mcp__elicit__ask", { message }]];
}

/** Its whole task is the mark, by which its requests are known. */
function subagent(mark: string): Step {
  const task = { description: "Make it", prompt: mark, subagent_type: "general-purpose" };
  return [["Agent", { ...task, run_in_background: false }]];
}

/** A human who allows whatever he is asked, and answers every question with the same word. */
function humanAsked(asked: (input: unknown) => void): NonNullable<ClaudeRun["host"]> {
  return (message, child) => {
    const { request, request_id } = message;
    if (message.type !== "control_request" || !isRecord(request)) return;
    const { subtype, input } = request;
    if (subtype !== "can_use_tool" && subtype !== "elicitation") return;
    if (subtype === "can_use_tool") asked(input);
    const response =
      subtype === "elicitation"
        ? { action: "accept", content: { env: "word" } }
        : { behavior: "allow", updatedInput: input };
    say(child, { type: "control_response", response: { subtype: "success", request_id, response } });
  };
}
