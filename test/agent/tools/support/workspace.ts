import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { TextResult, Tool, ToolContext } from "../../../../src/core/contracts/tool.ts";

/** A workspace in a folder of its own, beside which other files can stand. Gone when the test has ended. */
export interface Workspace {
  /** The folder that holds the workspace and what is outside of it. */
  readonly outside: string;
  readonly root: string;
  readonly context: ToolContext;
  path(relative: string): string;
  write(relative: string, content: string | Uint8Array): string;
  read(relative: string): string;
  /** Runs a tool; a failed call is answered with its message. */
  run(tool: Tool, input: Record<string, unknown>, more?: Partial<ToolContext>): Promise<TextResult>;
  /** What the model reads, with the workspace's path left out. */
  outputOf(tool: Tool, input: Record<string, unknown>, more?: Partial<ToolContext>): Promise<string>;
}

/** Makes a workspace with files in it. */
export function workspace(
  files: Readonly<Record<string, string>> = {},
  made?: Partial<ToolContext>,
): Workspace {
  const outside = realpathSync(mkdtempSync(join(tmpdir(), "tenterhook-tools-")));
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
  const root = join(outside, "work");
  mkdirSync(root);
  const path = (relative: string) => join(root, relative);
  const write = (relative: string, content: string | Uint8Array): string => {
    mkdirSync(dirname(path(relative)), { recursive: true });
    writeFileSync(path(relative), content);
    return path(relative);
  };
  for (const [file, content] of Object.entries(files)) write(file, content);
  const context: ToolContext = { ...contextIn(root), ...made };
  const run: Workspace["run"] = async (tool, input, more) => {
    try {
      const { content, ...rest } = await tool.run(input, { ...context, ...more });
      return { ...rest, content: typeof content === "string" ? content : JSON.stringify(content) };
    } catch (error) {
      if (error instanceof Error) return { content: error.message, is_error: true };
      throw error;
    }
  };
  return {
    outside,
    root,
    context,
    path,
    write,
    read: (relative) => readFileSync(path(relative), "utf8"),
    run,
    outputOf: async (tool, input, more) =>
      (await run(tool, input, more)).content.replaceAll(`${root}/`, "").replaceAll(outside, "<outside>"),
  };
}

/** What a tool is given in a folder, with an agent that offers nothing. */
function contextIn(root: string): ToolContext {
  return {
    session_id: "s1",
    agent_id: "a1",
    tool_use_id: "t1",
    cwd: root,
    workspace: [root],
    signal: new AbortController().signal,
    sandbox: "off",
    environment: { PATH: process.env.PATH, HOME: process.env.HOME },
    progress: () => {},
    memory: new Map(),
    host: { mode: "default" },
  };
}
