import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "../../../src/core/base/json.ts";
import type { Project } from "../../cli/support/project.ts";
import type { ServerRequest } from "../../support/model-servers/model-server.ts";
import { trustProject } from "../../support/trust-project.ts";
import { type ClaudeRun, clientProject, runClaude, type Step, say } from "./claude.ts";

/** What a hook prints, and how it ends. */
export interface Shape {
  readonly stdout?: string;
  readonly stderr?: string;
  readonly exit?: number;
}

/** What came of a shape. */
export interface Seen {
  /** True when the tool of the turn ran. */
  readonly ran: boolean;
  /** The inputs a human was asked about. */
  readonly asked: readonly string[];
  /** What the model was sent in the turn, after the prompt. */
  readonly sent: readonly string[];
  /** How the turn ended. */
  readonly result: string;
}

/** How the hook is called: by Claude Code itself, or by us after an import. */
export type Way = "native" | "imported";

/** What the model does in a turn on such an event, before it says that it is done. */
const CALLS: Readonly<Record<string, (mark: string) => Step>> = {
  PreToolUse: (mark) => bash(`touch ${mark}`),
  PermissionRequest: (mark) => bash(`touch ${mark}`),
  PostToolUse: (mark) => bash(`touch ${mark}`),
  PostToolBatch: (mark) => bash(`touch ${mark}`),
  PostToolUseFailure: (mark) => bash(`touch ${mark}; exit 3`),
};

/** Runs a turn for each shape in one session of the real Claude Code, where a hook on the event has that shape. */
export async function seenBy(way: Way, event: string, shapes: readonly Shape[]): Promise<readonly Seen[]> {
  const project = clientProject();
  const command = hookOf(project, shapes);
  const entry = { hooks: [{ type: "command", command }] };
  project.write(".claude/settings.json", JSON.stringify({ hooks: { [event]: [entry] } }));
  if (way === "imported") await importHooks(project);
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
    writeFileSync(join(project.folder, "turn"), String(next));
    say(child, { type: "user", message: { role: "user", content: markOf(next) } });
  };
  const model = (request: ServerRequest): Step => {
    const mark = lastMark(request);
    const call = CALLS[event];
    const isFirst = !started.includes(mark);
    started.push(mark);
    return call !== undefined && isFirst ? call(mark) : `done ${mark}`;
  };
  const { requests } = await runClaude({ project, host, model, mode: "default", prompt: markOf(0) });
  return shapes.map((_, index) => ({
    ran: existsSync(join(project.cwd, markOf(index))),
    asked: asked[index] ?? [],
    sent: sentIn(requests, markOf(index), project),
    result: plain(results[index] ?? "none", project),
  }));
}

function bash(command: string): Step {
  return [["Bash", { command, description: "Run it" }]];
}

function markOf(turn: number): string {
  return `SHAPE-${turn}-`;
}

/** Writes the hook: it has the shape of the turn. */
function hookOf({ folder }: Project, shapes: readonly Shape[]): string {
  for (const [index, { stdout = "", stderr = "", exit = 0 }] of shapes.entries()) {
    const shape = join(folder, "shapes", String(index));
    mkdirSync(shape, { recursive: true });
    writeFileSync(join(shape, "stdout"), stdout);
    writeFileSync(join(shape, "stderr"), stderr);
    writeFileSync(join(shape, "exit"), String(exit));
  }
  writeFileSync(join(folder, "turn"), "0");
  const file = join(folder, "hook.sh");
  writeFileSync(
    file,
    `cd '${folder}'; cd "shapes/$(cat turn)" || exit 1\ncat >/dev/null; cat stdout; cat stderr >&2; exit "$(cat exit)"\n`,
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

/** A human who allows whatever he is asked. */
function humanAsked(asked: (input: unknown) => void): NonNullable<ClaudeRun["host"]> {
  return (message, child) => {
    const { request, request_id } = message;
    if (message.type !== "control_request" || !isRecord(request) || request.subtype !== "can_use_tool")
      return;
    asked(request.input);
    const response = { behavior: "allow", updatedInput: request.input };
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

/** What the turn's last request has after its prompt, without what the model said itself. */
function sentIn(requests: readonly ServerRequest[], mark: string, project: Project): readonly string[] {
  const last = requests.filter((request) => lastMark(request) === mark).at(-1);
  const messages: readonly unknown[] = Array.isArray(last?.body.messages) ? last.body.messages : [];
  const texts = messages
    .filter((message) => isRecord(message) && message.role !== "assistant")
    .flatMap((message) => textsIn(isRecord(message) ? message.content : undefined));
  const start = texts.findIndex((text) => text.trim() === mark);
  return texts
    .slice(start + 1)
    .filter((text) => !text.startsWith("# Environment"))
    .map((text) => plain(text, project));
}

function textsIn(content: unknown): readonly string[] {
  if (typeof content === "string") return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((block) => {
    if (!isRecord(block)) return [];
    return typeof block.text === "string" ? [block.text] : textsIn(block.content);
  });
}

function plain(text: string, { folder }: Project): string {
  return text.replaceAll(folder, "FOLDER").replaceAll(/SHAPE-\d+-/g, "MARK");
}
