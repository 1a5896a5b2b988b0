import { builtin } from "../../node/builtin.ts";

/** The SHA-256 of a string or of bytes, in hexadecimal. */
export function sha256(content: string | Uint8Array): string {
  return builtin.crypto.createHash("sha256").update(content).digest("hex");
}

/** A value as JSON with its keys in order, so that the same value always has the same text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null || value instanceof Date)
    // Values that JSON would merge need different digests.
    return typeof value === "number" && !Number.isFinite(value)
      ? `"${value}"`
      : (JSON.stringify(value) ?? "null");
  const fields = Object.keys(value)
    .sort()
    .flatMap((key) => {
      const item: unknown = Reflect.get(value, key);
      return item === undefined ? [] : [`${JSON.stringify(key)}:${canonicalJson(item)}`];
    });
  return `{${fields.join(",")}}`;
}
