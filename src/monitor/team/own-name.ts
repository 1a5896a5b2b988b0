import { hostname } from "node:os";

/** The first part of this machine's name, with what a name may have. */
export function ownName(): string {
  const [first = ""] = hostname().split(".");
  return first.replaceAll(/[^\w-]/g, "-").replace(/^\W+/, "") || "machine";
}
