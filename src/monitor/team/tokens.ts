import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { TenterhookError } from "../../core/base/errors.ts";
import { isRecord } from "../../core/base/json.ts";
import { type MonitorStore, type TeamToken, TOKEN_ROLES } from "../../shared/monitor/monitor.ts";
import { newEventId } from "../report/spool.ts";

/** A token as lists show it: without its hash. */
export type ShownToken = Omit<TeamToken, "hash"> & { readonly state: "valid" | "expired" | "revoked" };

export interface NewToken {
  readonly role: TeamToken["role"];
  readonly name?: string;
  readonly expires_at?: string;
}

/** Reads what a token is to be; `undefined` for anything else. */
export function readNewToken(body: unknown): NewToken | undefined {
  if (!isRecord(body)) return undefined;
  const { name, expires_at } = body;
  const role = TOKEN_ROLES.find((one) => one === body.role);
  if (role === undefined || (name !== undefined && (typeof name !== "string" || !TOKEN_NAME.test(name))))
    return undefined;
  if (expires_at !== undefined && (typeof expires_at !== "string" || Number.isNaN(Date.parse(expires_at))))
    return undefined;
  return { role, name, expires_at };
}

/** It becomes a part of names of agents. */
export const TOKEN_NAME = /^[A-Za-z0-9][\w.-]{0,62}$/;

/** A machine that joins: the name that people see, and what tells it from another one of that name. */
export interface Machine {
  readonly name: string;
  readonly id: string;
}

const SEEN_MILLISECONDS = 60_000;
const TOKEN = /^thk_([a-z0-9]{12})_[\w-]{43}$/;
/** Compared with when there is no such token, so that this takes as long. */
const NO_HASH = "0".repeat(64);

export type Tokens = ReturnType<typeof teamTokens>;

/**
 * The tokens of a team's server.
 *
 * @param nameFor the name that a machine gets which joins: the one that it asks for, unless monitors of others know
 * another machine by it.
 */
export function teamTokens(
  store: Pick<MonitorStore, "update" | "token">,
  nameFor: (machine: Machine) => Promise<string>,
) {
  const change = (id: string, changed: (token: TeamToken, all: readonly TeamToken[]) => TeamToken) =>
    store.update((tables) => {
      const all = tables.tokens();
      const token = all.find((one) => one.id === id);
      if (token === undefined) throw noToken(id);
      const next = changed(token, all);
      tables.putToken(next);
      return next;
    });
  /** The token that a request has shown, as it is now; `undefined` for one that is unknown, expired or revoked. */
  const find = async (text: string): Promise<TeamToken | undefined> => {
    const [, id = ""] = TOKEN.exec(text) ?? [];
    const token = await store.token(id);
    const isRight = timingSafeEqual(Buffer.from(token?.hash ?? NO_HASH), Buffer.from(hashOf(text)));
    return isRight && token !== undefined && stateOf(token) === "valid" ? token : undefined;
  };
  return {
    /** The whole token, which nobody can see again, and what lists show of it. Pages that have ended are forgotten. */
    async create({ role, name, expires_at }: NewToken): Promise<{ token: string; shown: ShownToken }> {
      const id = newEventId();
      const token = `thk_${id}_${randomBytes(32).toString("base64url")}`;
      const made: TeamToken = {
        id,
        role,
        hash: hashOf(token),
        created_at: new Date().toISOString(),
        name,
        expires_at,
      };
      await store.update((tables) => {
        for (const one of tables.tokens())
          if (one.role === "page" && stateOf(one) !== "valid") tables.dropToken(one.id);
        tables.putToken(made);
      });
      return { token, shown: shownToken(made) };
    },

    /** The newest first. */
    async list(): Promise<readonly ShownToken[]> {
      const all = await store.update((tables) => tables.tokens());
      return all.map(shownToken).sort((one, other) => (one.created_at > other.created_at ? -1 : 1));
    },

    /**
     * Ends a token by the beginning of its id, at once and for good.
     *
     * @throws TenterhookError `usage_error` for an id that no token has; `ambiguous_name`.
     */
    async revoke(beginning: string): Promise<ShownToken> {
      const all = await store.update((tables) => tables.tokens());
      const [token, ...more] = all.filter(({ id }) => beginning !== "" && id.startsWith(beginning));
      if (token === undefined) throw noToken(beginning);
      if (more.length > 0)
        throw new TenterhookError("ambiguous_name", `Several tokens begin with ${beginning}.`);
      const revoked_at = new Date().toISOString();
      return shownToken(await change(token.id, (now) => ({ revoked_at, ...now })));
    },

    find,

    /** Shows who has a token that this server knows it, and nobody else anything; `undefined` for an unknown id. */
    async proof(id: string, challenge: string): Promise<string | undefined> {
      const token = await store.token(id);
      return token && createHmac("sha256", token.hash).update(challenge).digest("hex");
    },

    /** The same, and notes that it is used. */
    async valid(text: string): Promise<TeamToken | undefined> {
      const token = await find(text);
      if (token === undefined) return undefined;
      const isSeen = Date.parse(token.seen_at ?? "") >= Date.now() - SEEN_MILLISECONDS;
      if (!isSeen) await change(token.id, (now) => ({ ...now, seen_at: new Date().toISOString() }));
      return token;
    },

    async isValid({ id }: TeamToken): Promise<boolean> {
      const token = await store.token(id);
      return token !== undefined && stateOf(token) === "valid";
    },

    /**
     * Binds a reporter's token to the machine that joins with it.
     *
     * @returns the name that it has here: that of the token, or its own, as far as no other machine has it.
     * @throws TenterhookError `not_allowed` when the token is another machine's, or the name is taken.
     */
    async join({ id, name: wanted }: TeamToken, machine: Machine): Promise<string> {
      const before = (await store.token(id))?.machine;
      if (before !== undefined && before.id !== machine.id) throw otherMachine();
      const name = await nameFor({ ...machine, name: wanted ?? machine.name });
      await change(id, (token, all) => {
        if (token.machine !== undefined && token.machine.id !== machine.id) throw otherMachine();
        const isTaken = all.some(
          (one) => one.id !== id && one.machine?.name === name && stateOf(one) === "valid",
        );
        if (isTaken)
          throw new TenterhookError("not_allowed", `Another machine has joined as ${name}.`, {
            hint: "Join with --name and another name, or revoke the token of the other machine.",
          });
        return { ...token, machine: { name, id: machine.id } };
      });
      return name;
    },

    /** The machines that have joined, also those whose tokens have ended. */
    async machines(): Promise<readonly Machine[]> {
      const all = await store.update((tables) => tables.tokens());
      return all.flatMap(({ machine }) => machine ?? []);
    },

    rename: ({ name, id }: Machine, next: string): Promise<void> =>
      store.update((tables) => {
        for (const token of tables.tokens())
          if (token.machine?.id === id && token.machine.name === name)
            tables.putToken({ ...token, machine: { name: next, id } });
      }),
  };
}

/** A reporter's token works on the machine that has joined with it. */
export function otherMachine(): TenterhookError {
  return new TenterhookError("not_allowed", "This token belongs to another machine.", {
    hint: "Make a token for this machine: tenterhook daemon token create --role reporter.",
  });
}

function noToken(id: string): TenterhookError {
  return new TenterhookError("usage_error", `There is no token ${JSON.stringify(id)}.`, {
    hint: "tenterhook daemon token shows all.",
  });
}

function stateOf({ revoked_at, expires_at }: TeamToken): ShownToken["state"] {
  if (revoked_at !== undefined) return "revoked";
  return expires_at !== undefined && Date.parse(expires_at) <= Date.now() ? "expired" : "valid";
}

function shownToken(token: TeamToken): ShownToken {
  const { hash: _, ...shown } = token;
  return { ...shown, state: stateOf(token) };
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
