/** Inline rules by themselves: compile them, ask them, see what a shell line does. */

export { compileCommandCover, compileCommandPatterns } from "./rules/compiled/command-patterns.ts";
export { compileWhen, type EventPredicate } from "./rules/compiled/when.ts";
export type { RuleEvent, RulePorts } from "./rules/fields/judged-event.ts";
export type { Pack, PackDefinition } from "./rules/packs/pack.ts";
export { PACKS } from "./rules/packs/packs.ts";
export type { RuleOutcome, RuleReference } from "./rules/rule.ts";
export {
  compileInlineRules,
  type InlineDefinition,
  type InlineRules,
  openInlineRules,
} from "./rules/rules.ts";
export { analyseShell } from "./rules/shell/analyse.ts";
export type { ShellAnalysis, ShellCommand } from "./rules/shell/analysis.ts";
export { loadShellParser, shellParserLoaded } from "./rules/shell/parser.ts";
