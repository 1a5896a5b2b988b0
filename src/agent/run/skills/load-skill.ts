import { readdirSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";
import { errorMessage } from "../../../core/base/error-text.ts";
import type { TextResult } from "../../../core/contracts/tool.ts";
import { deny } from "../../../core/events/outcomes.ts";
import { internals } from "../../../core/internals.ts";
import type { ResultMarks } from "../../messages/messages.ts";
import { allowReading } from "../../tools/files/workspace.ts";
import { failed } from "../../tools/input.ts";
import { fire } from "../session/fire.ts";
import type { AgentSession, Turn } from "../session/session.ts";
import { kindLines, knownSkills } from "./kinds.ts";
import { activate } from "./own-hooks.ts";

export interface SkillRequest {
  readonly skill: string;
  readonly args: string;
  readonly tool_use_id: string;
}

/** How many files of a skill's folder can be read when the folder is outside of the workspace. */
const MOST_FILES = 500;

/**
 * Loads a skill: its hooks are in force from now on, until the agent is closed, because its instructions stay in the
 * conversation as long. Without its hooks it is not loaded.
 *
 * @throws TenterhookError `tool_failed` that says what is wrong; TurnEnded when a hook ends the run.
 */
export async function loadSkill(
  turn: Turn,
  { skill: name, args, tool_use_id }: SkillRequest,
): Promise<TextResult & ResultMarks> {
  const { session } = turn;
  const skills = await knownSkills(session);
  const skill = skills.find((one) => one.name === name);
  if (skill === undefined)
    throw failed(`There is no skill ${JSON.stringify(name)}. There are:\n${kindLines(skills) || "none"}`);
  const { folder, body, hooks, problem } = skill;
  const file_path = join(folder, "SKILL.md");
  if (problem !== undefined) throw failed(`${file_path} can't be used: ${problem}`);
  if (hooks !== undefined) {
    await activate(session, hooks).catch((error: unknown) => {
      throw failed(`The skill ${name} was not loaded. ${errorMessage(error)}`, error);
    });
  }
  for (const file of filesIn(folder)) allowReading(file, session.toolbox);
  await fire(turn, "SkillLoaded", { skill_name: name, file_path, tool_use_id });
  const text = withArguments(body, args)
    .replaceAll(/\$\{CLAUDE_SKILL_DIR\}/g, () => folder)
    .replaceAll(/\$\{CLAUDE_SESSION_ID\}/g, () => session.identity.session_id);
  const result = {
    content: `The folder of this skill: ${folder}\n\n${text}`,
    data: { skill: name, file_path },
  };
  return hooks === undefined ? result : { ...result, skill_hooks: { name, file: hooks.file } };
}

/**
 * Puts in force what belongs to an agent before it works: the hooks of its kind, and those of skills that its conversation has
 * loaded before. A skill whose hooks can't run any more has every call of the agent refused.
 *
 * @throws Error when the hooks of its kind can't run.
 */
export async function openOwnHooks(session: AgentSession): Promise<void> {
  const { options, conversation, identity, active, hooks } = session;
  for (const own of options.own_hooks ?? []) await activate(session, own);
  if (options.resume === undefined) return;
  const loaded = conversation.transcript().flatMap(({ role, parts }) => {
    const [part] = role === "tool" ? parts : [];
    return part?.skill_hooks ?? [];
  });
  if (loaded.length === 0) return;
  const skills = await knownSkills(session);
  for (const { name, file } of loaded) {
    const own = skills.find((skill) => skill.name === name && skill.hooks?.file === file)?.hooks;
    const gone = `Its hooks are gone from ${file}. Put them back, or begin a new conversation.`;
    await (own === undefined ? Promise.reject(new Error(gone)) : activate(session, own)).catch(
      (error: unknown) => {
        const agents = new Set([identity.agent_id]);
        const reason = `The skill ${name} was loaded before. ${errorMessage(error)}`;
        const remove = internals(hooks).register(
          "PreToolUse",
          {},
          {
            type: "function",
            run: ({ agent_id = "" }) => (agents.has(agent_id) ? deny(reason) : undefined),
          },
        );
        active.push({ file, agents, remove });
      },
    );
  }
}

/** The arguments in place of `$ARGUMENTS`, `$ARGUMENTS[0]` and `$0`; at the end where the text names none of them. */
function withArguments(body: string, args: string): string {
  const words = args.match(/"[^"]*"|'[^']*'|\S+/g)?.map((word) => word.replace(/^(["'])(.*)\1$/, "$2")) ?? [];
  const text = body.replaceAll(
    /\$ARGUMENTS(?:\[(\d+)\])?|\$(\d)(?!\d)/g,
    (_, listed?: string, short?: string) => {
      const at = listed ?? short;
      return at === undefined ? args : (words[Number(at)] ?? "");
    },
  );
  return text === body && args !== "" ? `${body}\n\nARGUMENTS: ${args}` : text;
}

/** The real paths of what is in a skill's folder. A link that leads out of it is left out. */
function filesIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, encoding: "utf8" }).slice(0, MOST_FILES);
    return entries
      .map((name) => realpathSync(join(folder, name)))
      .filter((real) => real.startsWith(folder + sep));
  } catch {
    return [];
  }
}
