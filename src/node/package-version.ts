/**
 * The version of this package; a test compares it with the manifest. Reading the manifest fails in other people's
 * bundles.
 */
export const PACKAGE_VERSION = "0.1.0";

/** True when a version comes before another one; `1.0.0-beta` comes before `1.0.0`. */
export function isOlderVersion(version: string, other: string): boolean {
  const [numbers = "", ...before] = version.split("-");
  const [otherNumbers = "", ...otherBefore] = other.split("-");
  const byNumbers = compared(numbers, otherNumbers);
  if (byNumbers !== 0) return byNumbers < 0;
  if (before.length === 0 || otherBefore.length === 0) return before.length > otherBefore.length;
  return compared(before.join("-"), otherBefore.join("-")) < 0;
}

function compared(one: string, other: string): number {
  return one.localeCompare(other, "en", { numeric: true });
}
