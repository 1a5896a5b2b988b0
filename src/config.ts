/** Configuration files: find them, read them, and give what they say to a hook set. */

export { loadAgentHooks } from "./config/agent-hooks.ts";
export { type AppliedConfig, applyConfig, type HookTarget } from "./config/apply.ts";
export type { Config, ConfigDefinition, ConfigTrust } from "./config/config.ts";
export type { FileScope, Source } from "./config/discover.ts";
export { type FollowedConfig, followConfig } from "./config/follow.ts";
export { configJsonSchema } from "./config/format.ts";
export type { AgentHooks } from "./config/hook-toml.ts";
export { type LoadOptions, loadConfig } from "./config/load.ts";
export { loadConfigCached } from "./config/open.ts";
export {
  ConfigError,
  type Place,
  type Position,
  type Problem,
  problemText,
  type Warning,
} from "./config/problem.ts";
export type { Definition, DefinitionType } from "./config/schema/definition.ts";
export type { Settings } from "./config/settings/merge-settings.ts";
export { type GrantOptions, grantTrust, revokeTrust } from "./config/trust/grant.ts";
export { reviewTrust, type TrustItem, type TrustReview } from "./config/trust/review.ts";
