import { fileURLToPath } from "node:url";

type Fields = Record<string, unknown>;

const JUDGED = Symbol.for("tenterhook.judged");

/** The arguments that were judged. An agent may load two copies of our plug-in, the user's and the project's. */
function judged(): WeakSet<object> {
  const known: unknown = Reflect.get(globalThis, JUDGED);
  if (known instanceof WeakSet) return known;
  const fresh = new WeakSet<object>();
  Reflect.set(globalThis, JUDGED, fresh);
  return fresh;
}

/** Arguments as they are sent to be judged: what others write into them meanwhile does not count. */
export function copyOf(args: Fields): Fields {
  return JSON.parse(JSON.stringify(args));
}

/**
 * Gives the agent's own object the arguments that were judged, and keeps plug-ins that run after ours from changing them.
 * A plug-in that tries fails, and `tell` gets a sentence that names it.
 *
 * @throws Error when a plug-in before ours has frozen other arguments.
 */
export function settle(args: Fields, agreed: Fields, tell: (message: string) => void): void {
  // The other copy has rewritten them already.
  if (judged().has(args)) return;
  judged().add(args);
  if (Object.isFrozen(args)) {
    if (JSON.stringify(args) === JSON.stringify(agreed)) return;
    throw new Error("A plug-in has frozen the arguments of this call, so Tenterhook can't rewrite them.");
  }
  seal(args, agreed, (key) => {
    const message = `${writer()} wanted to change ${JSON.stringify(key)} of a call that Tenterhook had judged. That is refused.`;
    tell(message);
    throw new TypeError(message);
  });
}

/** The object stays the same, since agents ignore a new one. */
function seal(target: object, fields: object, refuse: (key: string) => never): void {
  for (const key of Object.keys(target)) if (!Object.hasOwn(fields, key)) Reflect.deleteProperty(target, key);
  for (const [key, value] of Object.entries(fields)) {
    if (typeof value === "object" && value !== null) seal(value, value, refuse);
    const set = (): never => refuse(key);
    Object.defineProperty(target, key, { get: () => value, set, enumerable: true, configurable: false });
  }
  Object.freeze(target);
}

/** The file of the code that called us, which the stack names. */
function writer(): string {
  const own = fileURLToPath(import.meta.url);
  const files = (new Error().stack ?? "")
    .split("\n")
    .flatMap((line) => /(?:file:\/\/)?(\/[^()]*?)(?::\d+)+\)?$/.exec(line)?.[1] ?? []);
  return files.find((file) => file !== own) ?? "A plug-in";
}
