import type { Integration } from "../../../adapters/integration.ts";
import { integrationOf } from "../../../adapters/integrations.ts";
import type { Finding } from "../../../install/finding.ts";
import { DRIVERS } from "../../../know/prove/drivers.ts";
import type { Invocation, Outcome } from "../../command-line/command.ts";
import { continueWhereItStays } from "../../command-line/continue-where-it-stays.ts";
import { findings, paragraph, steps } from "../../command-line/screen/report.ts";
import { bold } from "../../command-line/screen/text.ts";
import { usageError } from "../../command-line/usage-error.ts";
import { guardOf } from "../../configured-hooks/guard.ts";
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

/** The usual packs refuse it, and there is nothing to delete. */
const REFUSED_LINE = "rm -rf /usr/lib/canary";

/**
 * Writes a configuration, has all agents ask it, and shows in the real programs that they obey.
 *
 * @throws TenterhookError `usage_error` where there are hooks already.
 */
export async function setUp(
  { isUser, imports }: SetUpWish,
  { agents, guard }: Facts,
  given: Invocation,
): Promise<Outcome> {
  if (guard.hooks.length > 0)
    throw usageError(
      "There are hooks here already.",
      "tenterhook list shows them; tenterhook install connects agents.",
    );
  const args = ["--yes", ...(isUser ? [] : ["--project"]), ...(imports ? ["--import"] : [])];
  const code = await continueWhereItStays(args, {}, given);
  if (code !== undefined) return code;
  const invocation = { ...given, names: [], options: { yes: true, ...(isUser ? { user: true } : {}) } };
  const { packs } = await writeStarter(invocation);
  const found = await Promise.all(agents.map(({ name }) => integrationOf(name)));
  const brought = imports ? await bringAlong(found, isUser, invocation) : { moved: 0, left: [] };
  // One that can't run the hooks keeps no other from it.
  const { done, refused } = await installInto(found, {
    ...invocation,
    // An agent with a trust of its own trusts what is written here, and nothing else.
    options: { ...invocation.options, all: true, trust: true },
  });
  const proven = await proveAll(found, invocation);
  const { judgement } = await guardOf(invocation);
  const places = await projectPlaces(invocation);
  const wrong = [...brought.left, ...refused];
  const shown = proven.find((one) => one.refused !== undefined);
  return {
    json: { agents, guard: judgement },
    blocks: [
      findings(
        [
          { level: "ok", about: "hooks.yaml", message: packs.length === 0 ? "no packs" : packs.join(", ") },
          ...(brought.moved === 0 ? [] : [broughtFinding(brought.moved)]),
          ...setUpFindings(
            done.map(({ integration }) => ({ integration, isUser })),
            judgement,
            places,
            given.cwd,
          ),
          ...wrong,
        ],
        true,
      ),
      "",
      shown && [
        `  ${shown.integration.table.title} tried ${bold(REFUSED_LINE)} in a copy of this project, and was refused:`,
        paragraph(shown.refused ?? "", undefined, "    "),
        "",
      ],
      steps([
        ["tenterhook", "what guards this project, who waits"],
        ["tenterhook uninstall --everything", "take all of it back"],
      ]),
    ],
    code: wrong.length === 0 && proven.every(({ obeys }) => obeys) ? 0 : 1,
  };
}

function broughtFinding(moved: number): Finding {
  const message = `${moved} moved from your agents' settings to hooks.yaml`;
  return { level: "ok", about: "your hooks", message };
}

/** Starts every agent that can be started, with a scripted model of ours. */
async function proveAll(found: readonly Integration[], invocation: Invocation) {
  const proven = [];
  for (const integration of found)
    if (Object.hasOwn(DRIVERS, integration.adapter.name))
      proven.push(await proveInstalled(integration, REFUSED_LINE, invocation));
  return proven;
}
