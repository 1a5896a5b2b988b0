import { everyCommand } from "../../rules/conditions/rule-holds.ts";
import { inShellFolders } from "../../rules/fields/touched.ts";
import type { ShellCommand } from "../../rules/shell/analysis.ts";
import type { JudgedCall } from "./judged-call.ts";
import type { PermissionRule } from "./permission-rule.ts";

type MayEdit = (path: string, cwd: string) => boolean;

/**
 * The allow rules that together cover a call, as written, or `undefined`. A shell line needs every simple command of it
 * covered, none of them unknown, and leave to edit every file it writes by redirection.
 */
export function coveringRules(
  rules: readonly PermissionRule[],
  judged: JudgedCall,
  modeEdits: MayEdit,
): string | undefined {
  const whole = rules.find((rule) => rule.covers(judged));
  if (whole !== undefined) return whole.text;
  if (judged.tool !== "Bash" || judged.shell === undefined) return undefined;
  const used = new Set<string>();
  const mayEdit: MayEdit = (path, cwd) =>
    modeEdits(path, cwd) || rules.some((rule) => rule.coversEdit?.(path, cwd) === true);
  const covered = everyCommand(judged.subject, ({ only }) => {
    if (only === undefined) return false;
    const rule = rules.find((each) => each.coversCommand?.(only) === true);
    if (rule !== undefined) used.add(rule.text);
    return rule !== undefined && redirectsWell(only, judged, mayEdit);
  });
  return covered ? [...used].join(", ") : undefined;
}

const HARMLESS = /^\/dev\/(?:null|stdout|stderr|tty)$/;

/** To write a file by redirection is to edit it: who may run `ls` may not yet run `ls > ~/.bashrc`. */
function redirectsWell(command: ShellCommand, judged: JudgedCall, mayEdit: MayEdit): boolean {
  const redirects = command.redirections.some(
    ({ operator, target }) =>
      operator.includes(">") &&
      !(operator.includes("&") && /^\d+$|^-$/.test(target)) &&
      !HARMLESS.test(target),
  );
  if (!redirects) return true;
  const writes = inShellFolders(judged.subject, command.writes).filter((path) => !HARMLESS.test(path));
  return writes.length > 0 && writes.every((path) => mayEdit(path, judged.call.cwd));
}
