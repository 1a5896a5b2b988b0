import { builtin } from "../builtin.ts";

/** The name of the user whose process this is. */
export function userName(): string {
  try {
    return builtin.os.userInfo().username;
  } catch {
    return "user";
  }
}
