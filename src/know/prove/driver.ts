import { randomUUID } from "node:crypto";
import type { Fault } from "../../adapters/integration.ts";
import { valueAt } from "../../adapters/settings/json-edit.ts";
import { isRecord } from "../../core/base/json.ts";
import type { AgentName } from "../../core/events/agent-names.ts";
import type { Protocol, Reply, ServerReply, ServerRequest } from "./model/model-server.ts";

/** What the model is to say: a text, or calls of tools. A tool that takes a text as it is gets that in place of the input. */
export type Step = string | readonly (readonly [tool: string, input: object, text?: string])[];

/** What the model says in a run, request for request; then it says "done". */
export interface Script {
  readonly steps: readonly Step[];
  /** The same for a subagent, which is known by a word of its first message. */
  readonly subagent?: { readonly word: string; readonly steps: readonly Step[] };
}

type Body = ServerRequest["body"];

/** Where an agent is started, and the model that it is given. */
export interface StartedAgent {
  /** The project's folder; `cwd` may be below it. */
  readonly root: string;
  readonly cwd: string;
  readonly home: string;
  /** The variables that it gets in any case. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly prompt: string;
  readonly model: { readonly url: string; readonly key: string };
}

/** How one agent is started without a terminal, with a model of ours on this machine: `tenterhook prove` and our own tests. */
export interface Driver {
  readonly agent: AgentName;
  readonly protocol: Protocol;
  /** What of the folder with its settings, the user's and the project's, `prove` copies. */
  readonly copied: readonly string[];
  /** The text of a copied file without credentials and what leads elsewhere; `moved` says where a folder is in the copy. */
  copy(name: string, text: string, moved: (path: string) => string): string;
  /** A step in which the model runs a line in the shell. */
  shell(line: string): Step;
  /** A step in which a script that the model writes runs a line in the shell, and the tool for it; absent when it writes none. */
  readonly script?: { readonly tool: string; step(line: string): Step };
  /** A step in which the model starts a subagent with a prompt; absent when the agent has none. */
  startSubagent?(prompt: string): Step;
  /** What a request has of the conversation; `undefined` for one that asks for a title and the like. */
  conversation(body: Body): unknown;
  opening(body: Body): unknown;
  /** What it is told when it asks the model something besides. */
  readonly aside: string;
  /** True when it ends with its first conversation, whatever its subagents are doing. */
  readonly leavesSubagents?: true;
  /** The scenarios with our program out of order in which it runs a call all the same, and nothing can change that. */
  readonly opensWhen?: readonly string[];
  /** Writes the settings that lead it to the model and keep it quiet, next to those that are there. */
  configure?(started: StartedAgent): void;
  /** Its arguments and variables, and what it reads on stdin. */
  command(started: StartedAgent): {
    readonly args: readonly string[];
    readonly stdin?: string;
    readonly variables: Readonly<Record<string, string>>;
  };
  /** Why it started no hook, in its own words on stderr or in its settings; and the way out. */
  silent?(run: { readonly stderr: string }, person: Person): Fault | undefined;
}

/** Where the person works, and the folder with the user's hooks for the agent. */
export interface Person {
  readonly root: string;
  readonly hooks: string;
}

/** A model that says what a script has, as one agent asks it. */
export interface Conversation {
  readonly reply: Reply;
  /** The requests of the conversation, without those for titles and the like. */
  readonly requests: ServerRequest[];
  /** Those that the agent makes besides. */
  readonly asides: ServerRequest[];
}

export function scripted(
  driver: Driver,
  { steps, subagent }: Script,
  says: (request: ServerRequest) => Step | undefined = () => undefined,
): Conversation {
  const [left, below] = [[...steps], [...(subagent?.steps ?? [])]];
  const requests: ServerRequest[] = [];
  const asides: ServerRequest[] = [];
  let subagentEnds = (): void => {};
  const subagentEnded = new Promise<void>((resolve) => {
    subagentEnds = resolve;
  });
  const reply = (request: ServerRequest): ServerReply => {
    if (driver.conversation(request.body) === undefined) {
      asides.push(request);
      return { text: driver.aside };
    }
    requests.push(request);
    const isBelow =
      subagent !== undefined && JSON.stringify(driver.opening(request.body) ?? "").includes(subagent.word);
    const step = says(request) ?? (isBelow ? below : left).shift();
    if (isBelow && step === undefined) subagentEnds();
    const answer = replyOf(step ?? "done");
    const waits = driver.leavesSubagents === true && subagent !== undefined && !isBelow;
    return waits && step === undefined ? { ...answer, after: subagentEnded } : answer;
  };
  return { reply, requests, asides };
}

function replyOf(step: Step): ServerReply {
  if (typeof step === "string") return { text: step };
  return {
    tool_calls: step.map(([tool, input, text]) => {
      const [name = "", namespace] = tool.split(".").toReversed();
      // Never used again, not even in a session that is resumed.
      const id = `call_${randomUUID().replaceAll("-", "")}`;
      return { id, name, input, namespace, text };
    }),
  };
}

/** Keys of settings that hold credentials, fetch them, or lead to other models and programs. */
const LEFT_OUT =
  /^(?:env|permissions|model|statusLine|.*(?:auth|cred|helper|key|login|market|mcp|otel|plugin|secret|telemetry|token).*)$/i;

/** JSON settings without {@link LEFT_OUT}. */
export function withoutCredentials(text: string): string {
  const settings = valueAt(text, []);
  const kept = Object.entries(isRecord(settings) ? settings : {}).filter(([key]) => !LEFT_OUT.test(key));
  return JSON.stringify(Object.fromEntries(kept));
}

/** JSON with the absolute paths in it, keys and texts, as they are in the copy. */
export function movedPaths(json: string, moved: (path: string) => string): string {
  return json.replaceAll(/"(\/[^"\\]*)"/g, (_, path: string) => JSON.stringify(moved(path)));
}
