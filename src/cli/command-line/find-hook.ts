import { TenterhookError } from "../../core/base/errors.ts";
import { didYouMean } from "../../core/base/suggest.ts";

/**
 * Finds an item by its name or the beginning of its name.
 *
 * @throws TenterhookError `ambiguous_name` with all matches; `unknown_hook` with the nearest name.
 */
export function findByName<Item extends { readonly name: string }>(
  items: readonly Item[],
  wanted: string,
): Item {
  const exact = items.find(({ name }) => name === wanted);
  if (exact !== undefined) return exact;
  const [first, ...others] = items.filter(({ name }) => name.startsWith(wanted));
  if (first !== undefined && others.length === 0) return first;
  const names = items.map(({ name }) => name);
  if (first !== undefined) {
    const all = [first, ...others].map(({ name }) => name).join(", ");
    throw new TenterhookError(
      "ambiguous_name",
      `Several hooks begin with ${JSON.stringify(wanted)}: ${all}.`,
    );
  }
  throw new TenterhookError(
    "unknown_hook",
    `There is no hook ${JSON.stringify(wanted)} here.${didYouMean(wanted, names)}`,
    { hint: "tenterhook list shows all hooks of this folder." },
  );
}
