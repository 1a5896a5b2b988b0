import type { WantedEvent } from "./agent-settings.ts";
import { HOOK_COMMAND, isHookCommand, isWakeCommand } from "./hook-command.ts";
import { MISSING, MISSING_ELSEWHERE } from "./installed-texts.ts";

/**
 * Node finds our program beside the command that npm made of it, and becomes it. It has no double quotes, which Windows and
 * its shells read in several ways.
 */
const FIND = [
  "const {existsSync}=require('fs'),{join,delimiter}=require('path'),{env}=process,[own,missing,code]=process.argv.slice(1)",
  "const path=(env.PATH||env.Path||'').split(delimiter).filter((one)=>one&&existsSync(join(one,'tenterhook.cmd')))",
  "const folders=own&&env.CLAUDE_PROJECT_DIR?[join(env.CLAUDE_PROJECT_DIR,'node_modules')]:path.flatMap((one)=>[join(one,'node_modules'),join(one,'..')])",
  "const file=folders.map((one)=>join(one,'tenterhook','dist','tenterhook.cjs')).find(existsSync)",
  "if(file){process.argv=[process.execPath,file,'hook'];require(file)}else{console.error(missing);process.exitCode=Number(code)}",
].join(";");

/** How an agent starts us where there is no POSIX shell: Node itself, with arguments that no shell reads. */
export function callWithoutShell({ gate, command = HOOK_COMMAND }: Pick<WantedEvent, "gate" | "command">) {
  const own = command === HOOK_COMMAND ? "" : "own";
  return {
    command: "node",
    args: ["-e", FIND, own, gate ? MISSING : MISSING_ELSEWHERE, gate ? "2" : "1"],
  };
}

/** True for a hook in an agent's settings that calls us, through a shell or without one. */
export function isHookHandler(handler: Readonly<Record<string, unknown>>): boolean {
  const { type = "command", command, args } = handler;
  if (type !== "command") return false;
  if (isHookCommand(command) || isWakeCommand(command)) return true;
  return command === "node" && Array.isArray(args) && args[0] === "-e" && args[1] === FIND;
}
