import type { ConfigDefinition } from "../../../config.ts";
import type { PackExample, PackRule } from "../../../rules/packs/pack.ts";
import { rulesOfHook } from "../../../rules/packs/packs.ts";
import type { Screen } from "../../command-line/screen/screen.ts";
import { columns, hanging } from "../../command-line/screen/text.ts";

const MARGIN = 16;

/** What a rule of a pack stops and lets through, and where it counts here. The reference has a page with the same. */
export function showRule(
  rule: PackRule,
  definitions: readonly ConfigDefinition[],
  screen: Screen,
  json: boolean,
): void {
  const { id, answer = "ask", reason, instead, stops, passes } = rule;
  const holders = definitions.filter(
    ({ pack, definition }) => pack !== undefined && rulesOfHook(definition.name).some((row) => row.id === id),
  );
  const on = holders
    .filter((hook) => hook.enabled && hook.rules_off?.includes(id) !== true)
    .map(({ name }) => name);
  if (json) {
    screen.json({ rule: id, answer, reason, instead, stops, passes, on });
    return;
  }
  const { bold, dim } = screen.paint;
  const line = (title: string, text: string): void =>
    screen.print(hanging(dim(title), text, screen.width, MARGIN));
  screen.print(`${bold(id)}  ${answer}`);
  line("why", reason);
  line("instead", instead);
  const examples = (title: string, list: readonly PackExample[]): void =>
    list.forEach((example, at) => {
      line(at === 0 ? title : " ".repeat(columns(title)), exampleText(example));
    });
  examples("stops", stops);
  examples("lets through", passes);
  const off = holders.length > 0 ? `off; tenterhook enable ${id}` : "no pack in use here has it";
  line("state", on.length === 0 ? off : `on, in ${on.join(" and ")}; tenterhook disable ${id}`);
}

function exampleText(example: PackExample): string {
  return typeof example === "string"
    ? example
    : `${String(example.tool_name)} ${JSON.stringify(example.tool_input)}`;
}
