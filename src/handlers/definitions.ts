/** Hooks as files hold them, as one part that is loaded on demand. */
export { addDefinition } from "./definition.ts";
export { addPack } from "./use-packs.ts";
