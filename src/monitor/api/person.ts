import type { Socket } from "node:net";
import { TenterhookError } from "../../core/base/errors.ts";
import { mustBe, type Standing } from "../person/standing.ts";
import type { PersonCheck } from "./api.ts";

/** Looks at the process at the other end of a unix socket. */
export function personAtSocket(standing: (socket: Socket) => Promise<Standing>): PersonCheck {
  return async (context, what) => {
    // Nothing can be read from the socket afterwards.
    context.header("connection", "close");
    mustBe(await standing(context.env.incoming.socket), `${what} must come from a person.`);
  };
}

/** For requests with a token that only a person was given. */
export const personByToken: PersonCheck = async () => undefined;

/** For an address where the token is one that every program of the user can read. */
export function personElsewhere(socket: string): PersonCheck {
  return async (_, what) => {
    throw new TenterhookError("not_allowed", `${what} is not taken at this address.`, {
      hint: `Use tenterhook answer, tenterhook dashboard, or the same request on the socket ${socket}.`,
    });
  };
}
