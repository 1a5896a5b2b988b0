import { type Fields, field, schemas } from "../core/base/schemas.ts";

/** The fields of `usage`, in every event that has it. */
export const USAGE_FIELDS = {
  input_tokens: field(schemas.number, "Tokens that models were sent, those from their cache included."),
  output_tokens: field(schemas.number, "Tokens that models wrote."),
  total_tokens: field(schemas.number, "Both together."),
  cached_tokens: field(schemas.number, "Those of the input that came from a cache."),
  cache_write_tokens: field(schemas.number, "Those of the input that were written to a cache."),
  reasoning_tokens: field(schemas.number, "Those of the output that were spent on thinking."),
  cost_usd: field(
    schemas.number,
    "The cost in US dollars, by `models.prices` and the list prices. Absent when a model has no price.",
  ),
  context_tokens: field(schemas.number, "How long the conversation was at the last model call."),
  context_window: field(schemas.number, "How long it can be. Absent for unknown models."),
  context_left: field(
    schemas.number,
    "The share of the context window that is left: from 1, all of it, to 0.",
  ),
  context_inferred: field(
    schemas.boolean,
    "True when the agent does not say how long its context can be: it is taken from the table of models.",
  ),
} as const satisfies Fields;
