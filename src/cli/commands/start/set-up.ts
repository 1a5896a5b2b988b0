import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import type { Integration } from "../../../adapters/integration.ts";
import { integrationOf } from "../../../adapters/integrations.ts";
import { installedProgram } from "../../../install/called-program.ts";
import type { Finding } from "../../../install/finding.ts";
import { DRIVERS } from "../../../know/prove/drivers.ts";
import type { Invocation, Outcome } from "../../command-line/command.ts";
import { continueWhereItStays } from "../../command-line/continue-where-it-stays.ts";
import { findings, paragraph, steps } from "../../command-line/screen/report.ts";
import { bold } from "../../command-line/screen/text.ts";
import { usageError } from "../../command-line/usage-error.ts";
import { guardOf } from "../../configured-hooks/guard.ts";
import { scopeFile } from "../../configured-hooks/scope-files.ts";
import { setUpFindings } from "../../configured-hooks/set-up.ts";
import { projectPlaces } from "../../integrations/chosen-settings.ts";
import { writeStarter } from "../hooks/init.ts";
import { installInto } from "../integrations/install.ts";
import { proveInstalled } from "../know/prove.ts";
import { bringAlong } from "./bring-along.ts";
import type { Facts } from "./facts.ts";

/** What a person is asked before it begins. */
export interface SetUpWish {
  /** For every project of this user, or for this one alone. */
  readonly isUser: boolean;
  /** Whether the hooks in the agents' own settings are to run through us. */
  readonly imports: boolean;
}

/** The options that a program that stays gets, where this one hands over. */
const PASSED_ON = ["yes", "project", "import", "json", "quiet", "debug"] as const;

/** A line that the usual packs refuse, and that has nothing to delete; `undefined` when there is something after all. */
export function refusedLine(exists = existsSync): string | undefined {
  const target = `/usr/lib/canary-${randomBytes(4).toString("hex")}`;
  return exists(target) ? undefined : `rm -rf ${target}`;
}

/**
 * Writes a configuration if there is none, connects all agents to it, and proves in the real programs that they obey.
 *
 * @throws TenterhookError `usage_error` where hooks are not trusted.
 */
export async function setUp(
  { isUser, imports }: SetUpWish,
  { agents, guard }: Facts,
  given: Invocation,
): Promise<Outcome> {
  if (guard.hooks.some(({ state }) => state === "untrusted"))
    throw usageError("Some hooks here are not trusted yet.", "Look at them first: tenterhook trust.");
  const asked: Invocation["options"] = { ...given.options, yes: true, project: !isUser, import: imports };
  const args = PASSED_ON.filter((name) => asked[name] === true).map((name) => `--${name}`);
  const code = await continueWhereItStays(args, given.options, given);
  if (code !== undefined) return code;
  const invocation = { ...given, names: [], options: { yes: true, ...(isUser ? { user: true } : {}) } };
  const places = await projectPlaces(invocation);
  const isThere = existsSync(scopeFile(isUser ? "user" : "project", places.root, given.environment));
  const packs = isThere ? undefined : (await writeStarter(invocation)).packs;
  const found = await Promise.all(agents.map(({ name }) => integrationOf(name)));
  const brought = imports ? await bringAlong(found, isUser, invocation) : { moved: 0, left: [] };
  // One that can't run the hooks keeps no other from it.
  const { done, refused } = await installInto(found, {
    ...invocation,
    // An agent with a trust of its own trusts what is written here, and nothing else.
    options: { ...invocation.options, all: true, trust: true },
  });
  const connected = [...new Set(done.map(({ integration }) => integration))];
  const line = refusedLine();
  const proven = await proveAll(connected, line, invocation);
  const { judgement } = await guardOf(invocation);
  const all: readonly Finding[] = [
    configurationFinding(packs),
    ...(brought.moved === 0 ? [] : [broughtFinding(brought.moved)]),
    ...setUpFindings(
      connected.map((integration) => ({ integration, isUser })),
      judgement,
      given.cwd,
    ),
    ...brought.left,
    ...refused,
  ];
  const isWrong = all.some(({ level }) => level === "warning" || level === "error");
  // Without an installed program, a person has only npx.
  const program =
    installedProgram(given.cwd, given.environment) === undefined ? "npx tenterhook" : "tenterhook";
  const shown = proven.find((one) => one.refused !== undefined);
  return {
    json: { agents, guard: judgement, findings: all },
    blocks: [
      findings(
        all.map(({ fix, ...one }) => ({ ...one, fix: fix?.replace(/^tenterhook/, program) })),
        true,
      ),
      "",
      shown && [
        `  ${shown.integration.table.title} tried ${bold(line ?? "")},`,
        "  with your hooks and settings, in a temporary folder, and was refused:",
        paragraph(shown.refused ?? "", undefined, "    "),
        "",
      ],
      steps([
        [program, "what guards this project, who waits"],
        [`${program} uninstall --everything`, "take all of it back"],
      ]),
    ],
    code: isWrong || proven.some(({ obeys }) => !obeys) ? 1 : 0,
  };
}

/** @param packs those of the configuration that was written; `undefined` when there was one. */
function configurationFinding(packs: readonly string[] | undefined): Finding {
  const about = "hooks.yaml";
  if (packs === undefined) return { level: "ok", about, message: "is there already" };
  return { level: "ok", about, message: packs.length === 0 ? "no packs" : packs.join(", ") };
}

function broughtFinding(moved: number): Finding {
  const message = `${moved} moved from your agents' settings to hooks.yaml`;
  return { level: "ok", about: "your hooks", message };
}

/** Starts every agent that can be started, with a scripted model of ours. */
async function proveAll(found: readonly Integration[], line: string | undefined, invocation: Invocation) {
  const proven = [];
  for (const integration of found)
    if (Object.hasOwn(DRIVERS, integration.adapter.name))
      proven.push(await proveInstalled(integration, line, invocation));
  return proven;
}
