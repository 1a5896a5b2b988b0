import type { LanguageModelV3 } from "@ai-sdk/provider";

/** A language model of the AI SDK. Its type has a name of ours, so that declarations of users need no package of others. */
export interface OpenedModel extends LanguageModelV3 {}
