import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { isRecord } from "../../../src/core/base/json.ts";
import type { Project } from "../../cli/support/project.ts";
import type { ServerRequest } from "../../support/model-servers/model-server.ts";
import { trustProject } from "../../support/trust-project.ts";
import { type ClaudeRun, runClaude, say } from "./claude.ts";
import { clientProject, type Step } from "./client.ts";

/** What a hook prints, and how it ends. */
export interface Shape {
  readonly stdout?: string;
  readonly stderr?: string;
  readonly exit?: number;
}

/** What came of a shape. */
export interface Seen {
  /** True when the tool of the turn ran as the model called it. */
  readonly ran: boolean;
  /** The inputs a human was asked about. */
  readonly asked: readonly string[];
  /** What the model was sent in the turn after the prompt, without what Claude Code puts around it. */
  readonly sent: readonly string[];
  /** How the turn ended. */
  readonly result: string;
}

/** How the hook is called: by Claude Code itself, or by us after an import. */
export type Way = "native" | "imported";

/** A shape with its name. Where we differ on purpose: why, and what is seen with us. */
export interface Row extends Shape {
  readonly what: string;
  readonly differs?: string;
  readonly imported?: Partial<Seen>;
}

/** Has both ways show what comes of each row, and expects the same, or what the row says. */
export async function expectSame(
  event: string,
  rows: readonly Row[],
  see: (way: Way, event: string, rows: readonly Row[]) => Promise<readonly Seen[]> = seenBy,
): Promise<void> {
  const native = await see("native", event, rows);
  const imported = await see("imported", event, rows);
  const named = (seen: readonly unknown[]) =>
    Object.fromEntries(rows.map(({ what }, at) => [what, seen[at]]));
  const expected = rows.map((row, at) => ({ ...native[at], ...row.imported }));
  expect(named(imported)).toEqual(named(expected));
  // A row that says it differs, and does not, is out of date.
  const differing = rows.filter((_, at) => JSON.stringify(native[at]) !== JSON.stringify(imported[at]));
  expect(differing.map(({ what }) => what)).toEqual(
    rows.filter(({ differs }) => differs !== undefined).map(({ what }) => what),
  );
}

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

/** A project with a hook of these shapes on each event, called in this way. */
export async function hookedProject(
  way: Way,
  handlers: Readonly<Record<string, object>>,
  shapes: readonly Shape[],
): Promise<Project> {
  const project = clientProject();
  const command = hookOf(project, shapes);
  const hooks = Object.entries(handlers).map(([event, { ...more }]) => {
    const { matcher, ...keys }: { readonly matcher?: string } = more;
    const entry = { hooks: [{ type: "command", command: `${command} ${event}`, ...keys }] };
    return [event, [matcher === undefined ? entry : { matcher, ...entry }]];
  });
  await useHooks(way, project, Object.fromEntries(hooks));
  return project;
}

/** Puts hooks into Claude Code's settings, and imports them from there if that is the way. */
export async function useHooks(way: Way, project: Project, hooks: object): Promise<void> {
  project.write(".claude/settings.json", JSON.stringify({ hooks }));
  if (way === "imported") await importHooks(project);
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

function markOf(turn: number): string {
  return `SHAPE-${turn}-`;
}

function setTurn({ folder }: Project, turn: number): void {
  writeFileSync(join(folder, "turn"), String(turn));
}

/** Writes the hook: it has the shape of the turn. A Stop hook has none when it has kept the turn going already. */
function hookOf(project: Project, shapes: readonly Shape[]): string {
  const { folder } = project;
  for (const [index, { stdout = "", stderr = "", exit = 0 }] of shapes.entries()) {
    const shape = join(folder, "shapes", String(index));
    mkdirSync(shape, { recursive: true });
    writeFileSync(join(shape, "stdout"), stdout);
    writeFileSync(join(shape, "stderr"), stderr);
    writeFileSync(join(shape, "exit"), String(exit));
  }
  setTurn(project, 0);
  const file = join(folder, "hook.sh");
  writeFileSync(
    file,
    `input=$(cat)
cd '${folder}'; printf '%s\\n' "$input" >> "$1.log"
case $input in *'"stop_hook_active":true'*) exit 0 ;; esac
turn=$(printf '%s' "$input" | sed -n 's/.*SHAPE-\\([0-9]*\\)-.*/\\1/p' | tail -n 1)
cd "shapes/\${turn:-$(cat turn)}" || exit 1
cat stdout; cat stderr >&2; exit "$(cat exit)"
`,
  );
  return `sh ${file}`;
}

async function importHooks(project: Project): Promise<void> {
  const run = async (...args: readonly string[]): Promise<void> => {
    const { code, stderr } = await project.run(args);
    if (code !== 0) throw new Error(stderr);
  };
  await run("import", "claude", "--yes");
  project.write(".claude/settings.json", "{}");
  await trustProject(project.cwd, project.environment);
  await run("install", "claude", "--scope", "project");
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

function lastMark({ body }: ServerRequest): string {
  return (
    JSON.stringify(body.messages)
      .match(/SHAPE-\d+-/g)
      ?.at(-1) ?? ""
  );
}

function lastOf(messages: unknown): unknown {
  return Array.isArray(messages) ? messages.at(-1) : undefined;
}

/** What the turn's requests, a subagent's included, have after their prompt, without what the model said itself. */
function sentIn(requests: readonly ServerRequest[], mark: string, project: Project): readonly string[] {
  const texts = requests
    .filter((request) => lastMark(request) === mark)
    .flatMap(({ body }) => {
      const all = textsIn(body.messages);
      return all.slice(all.findLastIndex((text) => text.trim() === mark) + 1);
    });
  return unique(texts.flatMap((text) => words(plain(text, project))));
}

function textsIn(content: unknown): readonly string[] {
  if (typeof content === "string") return [content];
  if (Array.isArray(content)) return content.flatMap(textsIn);
  if (!isRecord(content) || content.role === "assistant") return [];
  return typeof content.text === "string" ? [content.text] : textsIn(content.content);
}

/** What Claude Code puts around the words of a hook. */
const FRAME =
  /^(?:<system-reminder>\n)?\w+(?::\w+)? hook (?:error|success|additional context|feedback|stopped continuation|blocking error from command: "[^"]*"):\s*/;

/** The words of a hook, or of a tool, in a text. */
function words(text: string): readonly string[] {
  return text
    .replaceAll(/\n?<\/system-reminder>\n?/g, "")
    .split("\n\n")
    .map((part) => part.replace(FRAME, "").replace(/\[sh FOLDER\/hook\.sh \w+\]: /, ""));
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

function plain(text: string, { folder }: Project): string {
  return text
    .replaceAll(folder, "FOLDER")
    .replaceAll(/SHAPE-\d+-/g, "MARK")
    .replaceAll(/\ba[0-9a-f]{16}\b/g, "AGENT")
    .replaceAll(/duration_ms: \d+/g, "TIME");
}
