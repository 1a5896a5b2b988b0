import { createHash, randomBytes } from "node:crypto";
import { TenterhookError } from "../../core/base/errors.ts";
import type { Tokens } from "../team/tokens.ts";

const LINK_MILLISECONDS = 5 * 60 * 1000;
const LOGIN_MILLISECONDS = 30 * 24 * 60 * 60 * 1000;
/** Who asks for more has forgotten the first ones. */
const MOST_LINKS = 20;

interface Link {
  readonly until: number;
  /** The token that it was exchanged for. */
  made?: ReturnType<Tokens["create"]>;
}

export type Logins = ReturnType<typeof createLogins>;

/** Links that log in once, and the tokens that pages get for them. */
export function createLogins(tokens: Pick<Tokens, "create" | "revoke" | "find">) {
  const links = new Map<string, Link>();
  return {
    /** A code for a link. It counts once, and for five minutes. */
    code(): string {
      const code = randomBytes(24).toString("base64url");
      links.set(digest(code), { until: Date.now() + LINK_MILLISECONDS });
      for (const old of [...links.keys()].slice(0, -MOST_LINKS)) links.delete(old);
      return code;
    },
    /**
     * A page's token for the code of a link. When a second one comes with it, nobody knows which of them is the person's
     * browser, so the first login ends: other programs see the link among the arguments of the browser's process.
     *
     * @throws TenterhookError `not_allowed`.
     */
    async exchange(code: string): Promise<string> {
      const link = links.get(digest(code));
      if (link === undefined || link.until <= Date.now())
        throw refusedLink("This link is older than five minutes, or from a daemon that has ended.");
      if (link.made !== undefined) {
        await tokens.revoke((await link.made).shown.id);
        throw refusedLink("This link was used twice, so nobody is logged in with it any more.");
      }
      const expires_at = new Date(Date.now() + LOGIN_MILLISECONDS).toISOString();
      link.made = tokens.create({ role: "page", expires_at });
      return (await link.made).token;
    },
    // A page also shows that nothing can be stored, so its requests store nothing.
    isLoggedIn: async (token: string): Promise<boolean> => (await tokens.find(token))?.role === "page",
  };
}

function refusedLink(message: string): TenterhookError {
  return new TenterhookError("not_allowed", message, { hint: "Run tenterhook dashboard for a new one." });
}

function digest(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}
