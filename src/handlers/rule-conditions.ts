/** The rules that matchers need, as one part that is loaded on demand. */
export { compileCommandCover, compileCommandPatterns } from "../rules/command-patterns.ts";
export { compileWhen } from "../rules/when.ts";
