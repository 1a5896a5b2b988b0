import { MODELS, MODELS_DATE, type ModelPrice, undated } from "./models.ts";

export type { ModelPrice } from "./models.ts";

/** Prices by `provider/model`. */
export type ModelPrices = Readonly<Record<string, ModelPrice>>;

/**
 * List prices of the providers on a day, without discounts, batches and surcharges: a cost made from them is an estimate.
 * `models.prices` in a configuration, or the third argument of `costOf`, override them.
 */
export const LIST_PRICES: { readonly date: string; readonly prices: ModelPrices } = {
  date: MODELS_DATE,
  prices: Object.fromEntries(
    Object.entries(MODELS).flatMap(([name, { price }]) => (price === undefined ? [] : [[name, price]])),
  ),
};

/** What a call has used, as providers count it. */
interface CountedTokens {
  readonly inputTokens: {
    readonly total: number | undefined;
    readonly noCache?: number | undefined;
    readonly cacheRead?: number | undefined;
    readonly cacheWrite?: number | undefined;
  };
  readonly outputTokens: { readonly total: number | undefined };
}

const FREE: ModelPrice = { input: 0, output: 0 };
const MILLION = 1_000_000;

/**
 * The cost of a call in US dollars; `undefined` for a model without a price and without usage. A name that ends with a
 * date has the price of the name without it.
 *
 * @param prices override the list prices, which are an estimate.
 */
export function costOf(
  model: string,
  { inputTokens, outputTokens }: CountedTokens,
  prices: ModelPrices = {},
): number | undefined {
  const price = priceOf(model, prices);
  if (price === undefined || inputTokens.total === undefined || outputTokens.total === undefined)
    return undefined;
  const read = inputTokens.cacheRead ?? 0;
  const written = inputTokens.cacheWrite ?? 0;
  const fresh = inputTokens.noCache ?? Math.max(0, inputTokens.total - read - written);
  const total =
    fresh * price.input +
    read * (price.cache_read ?? price.input) +
    written * (price.cache_write ?? price.input) +
    outputTokens.total * price.output;
  return total / MILLION;
}

function priceOf(model: string, prices: ModelPrices): ModelPrice | undefined {
  const names = [model, undated(model)];
  for (const table of [prices, LIST_PRICES.prices])
    for (const name of names) if (Object.hasOwn(table, name)) return table[name];
  return model.startsWith("scripted:") ? FREE : undefined;
}
