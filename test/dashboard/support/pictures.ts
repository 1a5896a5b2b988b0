import { join } from "node:path";
import { ROOT } from "../../repository/support/files.ts";

/** Where the pictures go: those of the guide are written by `TENTERHOOK_PICTURES=docs/pictures npx vitest run test/dashboard/look`. */
export const PICTURES = process.env.TENTERHOOK_PICTURES ?? join(ROOT, "node_modules/.cache/dashboard");
