import type { ShellCommand } from "../analysis.ts";
import { findsNoSecret } from "../judge/secret-names.ts";
import { withoutDisclosing } from "../programs/row-parts.ts";
import type { Walk } from "../state/frame.ts";

/** `cat .env | cut -d= -f1` shows no values. */
function settleVariables(walk: Walk, start: number): void {
  const commands = walk.commands.slice(start);
  const isShown = commands.some(({ writes, connects }) => writes.length + connects.length > 0);
  if (isShown || !commands.slice(1).some(leavesSecretsOut)) return;
  withoutDisclosing(
    walk,
    commands.filter(({ name }) => name === "cat"),
  );
}

/** `echo $TOKEN | docker login --password-stdin` passes a secret to where it belongs: nothing is shown. */
export function settleLogins(walk: Walk, start: number): void {
  settleVariables(walk, start);
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
  else if (commands.some(leavesSecretsOut))
    withoutPrinting(
      walk,
      printing.filter(({ behaviours }) => behaviours.some(({ target }) => target === "$*")),
    );
}

/** Of all variables it shows the names, their number, or those that fit a harmless word. */
function leavesSecretsOut({ name, flags, args, options, text }: ShellCommand): boolean {
  if (name === "wc") return true;
  if (name === "cut") return options.some(({ flag, value }) => flag === "-f" && value === "1");
  if (name === "awk" || name === "gawk") return /^\w+ -F ?'?=/.test(text) && /\{ ?print \$1 ?\}/.test(text);
  if (name === "sed") return args.some((arg) => /^s\/=\.\*\/\/$/.test(arg));
  if (name !== "grep" && name !== "egrep" && name !== "rg") return false;
  return flags.some((flag) => /^-[qcl]$/.test(flag)) || findsNoSecret({ flags, args, options });
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
