import type { Integration } from "../../../../adapters/integration.ts";
import { type OwnCode, ownCode } from "../../../../know/prove/own-code.ts";
import { mayGoOn } from "../../../command-line/ask-line.ts";
import type { Invocation } from "../../../command-line/command.ts";
import { mustBePerson } from "../../../command-line/person.ts";
import type { Block } from "../../../command-line/screen/report.ts";
import {
  bold,
  columns,
  hanging,
  harmless,
  harmlessName,
  shortPath,
} from "../../../command-line/screen/text.ts";
import { projectPlaces } from "../../../integrations/chosen-settings.ts";

/**
 * The person's own code that agents load, after it was shown and its owner has agreed that it runs; `undefined` when they
 * have not.
 *
 * @throws TenterhookError `not_a_person`, `confirmation_needed` when there is some.
 */
export async function ownCodeToRun(
  agents: readonly Integration[],
  invocation: Invocation,
): Promise<ReadonlyMap<Integration, readonly OwnCode[]> | undefined> {
  const { screen, json } = invocation;
  const places = await projectPlaces(invocation);
  const found = new Map(agents.map((one) => [one, ownCode(one, places)]));
  for (const [integration, code] of found) {
    const { title } = integration.table;
    if (integration.pluginSources === undefined)
      screen.tell(`${title} is tried once: prove can copy no more of its plug-ins than it does anyway.`);
    else if (code.length === 0)
      screen.tell(`${title} loads no plug-in of yours with hooks here: there is nothing to try besides.`);
    else if (!json) screen.print(...codeBlocks(title, code, invocation.cwd));
  }
  if ([...found.values()].flat().length === 0) return found;
  // An agent may have put it there.
  await mustBePerson(invocation);
  const agrees = await mayGoOn("Run this in copies, with no sandbox around it?", invocation);
  return agrees ? found : undefined;
}

function codeBlocks(title: string, code: readonly OwnCode[], cwd: string): readonly Block[] {
  const margin = Math.max(...code.map(({ name }) => columns(harmlessName(name)))) + 5;
  return [
    `${title} is tried with these of yours, too, and they run then:`,
    ({ width }) =>
      code.map(({ name, file, runs }) => {
        const what = runs.map((one) => harmlessName(one)).join(", ");
        const text = `${harmless(shortPath(file, cwd))}: ${what}`;
        return hanging(`  ${bold(harmlessName(name))}`, text, width, margin);
      }),
    "",
  ];
}
