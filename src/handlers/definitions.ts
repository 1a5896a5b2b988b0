/** Hooks as files hold them, as one part that is loaded on demand. */
export { readyDefinition } from "./definition.ts";
export { handlerType } from "./handler-types.ts";
export { readyPack } from "./use-packs.ts";
