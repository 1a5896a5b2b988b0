import { MOST_FILE_BYTES } from "../find/inputs.ts";

const PROBLEMS: readonly (readonly [beginning: string, problem: string])[] = [
  ["too_large", `has more than ${MOST_FILE_BYTES / 1_000_000} MB, the most that can be trusted`],
  ["special", "is not a plain file"],
  ["folder", "is a folder"],
  ["unreadable", "can't be read by this user"],
];

/** Why a file can't be trusted as it is, to follow its name. One that is not there can: it is trusted not to be. */
export function fileProblem(value: string): string | undefined {
  return PROBLEMS.find(([beginning]) => value.startsWith(beginning))?.[1];
}
