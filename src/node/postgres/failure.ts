import { errorMessage } from "../../core/base/error-text.ts";
import { isTenterhookError, TenterhookError } from "../../core/base/errors.ts";
import { systemCode } from "../system-code.ts";

/** Errors of the network that pass when the server is back. */
const NETWORK = new Set(
  "ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH EHOSTDOWN ENOTFOUND EAI_AGAIN".split(" "),
);
/** What `pg` says, without a code, when the connection is gone. */
const CUT =
  /^(Connection terminated|Client has encountered a connection error|timeout expired|Query read timeout|timeout exceeded)/;

/** Codes of PostgreSQL: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const GONE = /^(08|57P0[1-5]|53300|25P0[34])/;
const CONFLICT = /^(40001|40P01|55P03)/;

/** True for an error after which the same work may succeed: the server is away, restarts, or another transaction came first. */
export function mayPass(error: unknown): boolean {
  const code = codeOf(error);
  return isAway(error) || CONFLICT.test(code);
}

/** True when the connection is gone: the server can't be reached, takes nobody, or has waited too long for this process. */
export function isAway(error: unknown): boolean {
  const code = codeOf(error);
  if (NETWORK.has(code) || GONE.test(code)) return true;
  // The socket of a server on this machine is a file.
  if (code === "ENOENT") return error instanceof Error && "syscall" in error && error.syscall === "connect";
  return code === "" && error instanceof Error && CUT.test(error.message);
}

function codeOf(error: unknown): string {
  return systemCode(error) ?? "";
}

interface Sentence {
  readonly codes: RegExp;
  readonly says: (place: string, what: string) => string;
  readonly hint: string;
}

/** What each kind of failure means for the user. */
const SENTENCES: readonly Sentence[] = [
  {
    codes: /^28/,
    says: (place) => `The database ${place} refused the user or the password.`,
    hint: "Correct them in TENTERHOOK_DATABASE_URL, or monitor.database of your own file; PGPASSWORD and ~/.pgpass count too.",
  },
  {
    codes: /^3D000/,
    says: (place) => `The server is there, but has no database for ${place}.`,
    hint: "Create it: createdb NAME. Then: tenterhook fleet database migrate.",
  },
  {
    codes: /^42501/,
    says: (place, what) => `The user of ${place} lacks a right: ${what}.`,
    hint: "Let the database's owner run tenterhook fleet database migrate, and grant this user the schema tenterhook.",
  },
  {
    codes: /^53100/,
    says: (place) => `The disk of ${place} is full.`,
    hint: "Make room on the server, then try again.",
  },
  {
    codes: /^25006/,
    says: (place) => `${place} can only be read: it is a copy, or was made read-only.`,
    hint: "Name the server that takes writes.",
  },
];

/** An error of the database as one that names the place and the way out; an error of ours as it is. */
export function databaseFailure(place: string, cause: unknown): unknown {
  if (isTenterhookError(cause)) return cause;
  // When each of several addresses of a name failed, only those errors say how.
  const what = errorMessage(cause instanceof AggregateError ? cause.errors[0] : cause);
  if (isAway(cause))
    return new TenterhookError("store_failed", `The database ${place} can't be reached: ${what}.`, {
      hint: "Start the server, or correct its address; what is tried again goes on then.",
      cause,
    });
  const code = codeOf(cause);
  const sentence = SENTENCES.find(({ codes }) => codes.test(code));
  if (sentence !== undefined)
    return new TenterhookError("store_failed", sentence.says(place, what), { hint: sentence.hint, cause });
  // What is no error of PostgreSQL is one of the caller's.
  return code === "" ? cause : new TenterhookError("store_failed", `${place}: ${what}.`, { cause });
}
