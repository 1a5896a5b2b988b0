import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { onTestFinished } from "vitest";
import { stringify } from "yaml";
import { type Reply, startModelServer } from "../../../src/know/prove/model/model-server.ts";
import { OPENAI_CHAT } from "../../../src/know/prove/model/openai-chat-server.ts";
import { newProject } from "../../cli/support/project.ts";
import { inTerminalOfPerson, type Terminal, type TerminalOptions } from "./tmux.ts";

/** A project with a scripted model and the user's own hooks, which need no trust. */
export function chatProject(steps: readonly object[], settings: object = {}) {
  const project = newProject();
  project.write("script.yaml", stringify(steps));
  project.write("../config/tenterhook/hooks.yaml", stringify(settings));
  const run = (args: readonly string[], options: TerminalOptions = {}) =>
    inTerminalOfPerson(project, ["run", "--model", "scripted:script.yaml", ...args], options);
  const chat = (args: readonly string[] = [], options: TerminalOptions = {}) => run(args, options);
  /** A program that hooks run. */
  const program = (name: string, lines: string): string => {
    const file = project.write(name, `#!/bin/sh\n${lines}\n`);
    chmodSync(file, 0o755);
    return file;
  };
  return {
    ...project,
    chat,
    run,
    program,
    touch: (name: string) => writeFileSync(`${project.cwd}/${name}`, ""),
    remove: (name: string) => rmSync(`${project.cwd}/${name}`),
  };
}

/** The chat, once it has been told something. */
export async function saying(terminal: Terminal, text: string): Promise<Terminal> {
  await terminal.shows("/help");
  terminal.type(text);
  terminal.keys("Enter");
  return terminal;
}

/** A project with a model on a server, for tests of what happens while the model answers. */
export async function projectWithModelServer(replies: readonly Reply[], settings: object = {}) {
  const project = newProject();
  project.write("../config/tenterhook/hooks.yaml", stringify(settings));
  const { url, key, close } = await startModelServer(OPENAI_CHAT, replies);
  onTestFinished(close);
  const environment = { OLLAMA_BASE_URL: url, OLLAMA_API_KEY: key };
  const run = (args: readonly string[]) =>
    inTerminalOfPerson(project, ["run", "--model", "ollama/qwen3:4b", ...args], { environment });
  return { ...project, chat: run, run };
}
