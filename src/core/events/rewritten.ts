import { isRecord } from "../base/json.ts";

type Kind = readonly [must: string, is: (value: unknown) => boolean];

const text: Kind = ["a text", (value) => typeof value === "string"];
const object: Kind = ["an object", isRecord];

/** The fields of a decision that a rewrite fills, and what each must be. */
export const REWRITTEN: Readonly<Record<string, Kind>> = {
  input: object,
  output: ["anything", () => true],
  error: text,
  prompt: text,
  request: object,
  system_prompt: text,
  messages: ["a list", Array.isArray],
};
