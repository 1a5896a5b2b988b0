/** Configuration files: find them, read them, and give what they say to a hook set. */

export type { Settings } from "./config/combine/merge-settings.ts";
export type { Config, ConfigDefinition, ConfigTrust } from "./config/config.ts";
export type { FileScope, Source } from "./config/find/discover.ts";
export type { AgentHooks } from "./config/find/hook-toml.ts";
export { type FollowedConfig, followConfig } from "./config/follow.ts";
export { configJsonSchema, type LoadOptions, loadConfig } from "./config/load.ts";
export {
  ConfigError,
  type Place,
  type Position,
  type Problem,
  problemText,
  type Warning,
} from "./config/parse/problem.ts";
export type { Definition, DefinitionType } from "./config/schema/definition.ts";
export { type GrantOptions, grantTrust, revokeTrust } from "./config/trust/grant.ts";
export { reviewTrust, type TrustItem, type TrustReview } from "./config/trust/review.ts";
