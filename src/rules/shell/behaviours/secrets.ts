import type { ShellCommand } from "../analysis.ts";
import type { Walk } from "../interpret/frame.ts";
import type { Invocation } from "../programs/program-row.ts";
import type { Program } from "../programs/programs.ts";
import { shown } from "../words/partly-known-text.ts";

const NONE: readonly string[] = [];
/** The variables or programs whose secret a command prints. */
export function printedSecrets({ printsSecret }: Program, invocation: Invocation): readonly string[] {
  if (typeof printsSecret === "function") return printsSecret(invocation);
  if (printsSecret === undefined) return NONE;
  const { name, line, first } = invocation;
  const rest = shown(line.slice(first.length)).slice(0, 400);
  return printsSecret.test(rest) ? [(name + rest).split(" ").slice(0, 3).join(" ")] : NONE;
}

/** `echo $TOKEN | docker login --password-stdin` passes a secret to where it belongs: nothing is shown. */
export function settleLogins(walk: Walk, start: number): void {
  const commands = walk.commands.slice(start);
  const printing = commands.filter(printsSecret);
  if (printing.length === 0) return;
  const takesSecret = commands.some(
    (command) =>
      command.args.includes("login") ||
      command.flags.includes("--password-stdin") ||
      command.flags.includes("--with-token") ||
      isSecretSetter(command),
  );
  if (takesSecret) withoutPrinting(walk, printing);
}

function printsSecret({ behaviours }: ShellCommand): boolean {
  return behaviours.some((behaviour) => behaviour.kind === "prints-secret");
}

function isSecretSetter(command: ShellCommand): boolean {
  return /^(?:gh secret set|vercel env add|wrangler secret put|fly secrets|doppler secrets set|npm config set)/.test(
    command.text,
  );
}

/** Takes back that these commands print a secret, because what they print is put to its proper use. */
export function withoutPrinting(walk: Walk, commands: readonly ShellCommand[]): void {
  for (const command of commands) {
    const at = walk.commands.indexOf(command);
    if (at === -1 || !printsSecret(command)) continue;
    walk.commands[at] = {
      ...command,
      behaviours: command.behaviours.filter((behaviour) => behaviour.kind !== "prints-secret"),
    };
  }
}
