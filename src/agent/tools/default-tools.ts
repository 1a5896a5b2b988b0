import type { Tool } from "../../core/contracts/tool.ts";
import { askUserQuestionTool } from "./agent/ask-user-question.ts";
import { monitorTool, taskStopTool } from "./agent/background.ts";
import { memoryTool } from "./agent/memory.ts";
import { enterPlanModeTool, exitPlanModeTool } from "./agent/plan-mode.ts";
import { skillTool } from "./agent/skill.ts";
import { taskTool } from "./agent/task.ts";
import { todoWriteTool } from "./agent/todo-write.ts";
import { type BashOptions, bashTool } from "./bash/bash.ts";
import { editTool } from "./edit.ts";
import { globTool } from "./glob.ts";
import { grepTool } from "./grep.ts";
import { readTool } from "./read.ts";
import { type WebFetchOptions, webFetchTool } from "./web/web-fetch.ts";
import { writeTool } from "./write.ts";

/** Options of the tools. */
export interface DefaultToolsOptions {
  readonly bash?: BashOptions;
  readonly web_fetch?: WebFetchOptions;
}

/**
 * The tools of an agent: Read, Write, Edit, Bash, Glob, Grep, WebFetch, TodoWrite, AskUserQuestion, EnterPlanMode,
 * ExitPlanMode, Task, Skill, Memory, Monitor and TaskStop. Their inputs have the field names of Claude Code's tools, so that the same rules and hooks
 * work for both.
 */
export function defaultTools(options: DefaultToolsOptions = {}): readonly Tool[] {
  return [
    readTool,
    writeTool,
    editTool,
    bashTool(options.bash),
    globTool,
    grepTool,
    webFetchTool(options.web_fetch),
    todoWriteTool,
    askUserQuestionTool,
    enterPlanModeTool,
    exitPlanModeTool,
    taskTool,
    skillTool,
    memoryTool,
    monitorTool,
    taskStopTool,
  ];
}
