import type { ConfigDefinition } from "../../../../config/config.ts";
import { fieldsOfEvent } from "../../../../config/parse/event-fields.ts";
import { stringList } from "../../../../core/base/check-options.ts";
import type { Finding } from "./finding.ts";

/** True when an event of this name can have something for a matcher's field; also for events we know nothing of. */
type Carries = (event: string) => boolean;

const carries =
  (field: string, ...others: readonly string[]): Carries =>
  (event) =>
    others.includes(event) || (fieldsOfEvent(event)?.includes(field) ?? true);

/** The fields of a matcher that only some events have something for. */
const FIELDS: ReadonlyMap<string, Carries> = new Map([
  ["tools", carries("tool_name", "Error")],
  ["command_patterns", carries("tool_name")],
  ["sources", carries("source")],
  ["error_types", carries("error_type")],
]);

/** Hooks that will never be asked, whatever happens, because of what their matcher says. */
export function neverMatching(definitions: readonly ConfigDefinition[]): readonly Finding[] {
  return definitions.flatMap(({ name, definition, enabled }) => {
    if (!enabled) return [];
    const { events: given, ...matcher } = definition.matcher;
    const events = [given].flat();
    const impossible = Object.keys(matcher)
      .filter((field) => events.every((event) => FIELDS.get(field)?.(event) === false))
      .map(
        (field) =>
          `It can never match: ${events.join(" and ")} ${events.length === 1 ? "has" : "have"} nothing that ${field} could look at.`,
      );
    const servers =
      matcher.tools === undefined
        ? []
        : stringList(matcher.tools, "tools")
            .flatMap((tools) => (tools.startsWith("/") ? [] : tools.split("|")))
            .filter((tool) => /^mcp__(?:(?!__)[\w-])+$/.test(tool))
            .map((tool) => `${tool} fits no tool: a server's tools are ${tool}__*.`);
    return [...impossible, ...servers].map(
      (message): Finding => ({ level: "warning", about: `hook ${name}`, message }),
    );
  });
}
