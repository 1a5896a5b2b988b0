import { randomUUID } from "node:crypto";
import type { Clock } from "../../core/base/clock.ts";
import { isoTime } from "../../core/base/clock.ts";
import { TenterhookError } from "../../core/base/errors.ts";
import type {
  AgentClaim,
  ClaimHolder,
  ClaimOptions,
  TranscriptOwner,
} from "../../core/contracts/transcript.ts";
import { hasEnded, type ProcessMark, thisProcess } from "../../node/identity/process-identity.ts";
import type { Backend } from "./backend.ts";
import type { StoredClaim } from "./records.ts";

const RENEW_MILLISECONDS = 30_000;
/** A process on another machine counts as ended after this much silence. */
const SILENT_MILLISECONDS = 120_000;
const MOST_TRIES = 100;

/** Claims that this process released but could not write yet. */
const released = new Set<string>();

export interface ClaimPorts {
  readonly clock: Pick<Clock, "now">;
  /** Whose claims they are. Default: those of this process. */
  readonly self?: ProcessMark;
}

/** Grants the right to run an agent to one process at a time. */
export class Claims {
  readonly #backend: Backend;
  readonly #now: () => number;
  readonly #self: ProcessMark;
  readonly #held = new Set<AgentClaim>();
  #closed = false;

  constructor(backend: Backend, { clock, self = thisProcess() }: ClaimPorts) {
    this.#backend = backend;
    this.#now = () => clock.now();
    this.#self = self;
  }

  /** @throws TenterhookError `agent_in_use`, `agent_changed`. */
  async take(owner: TranscriptOwner, { after }: ClaimOptions = {}): Promise<AgentClaim> {
    let last: StoredClaim | undefined;
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      last = await this.#backend.lastClaim(owner.agent_id, owner.session_id);
      if (last !== undefined && this.#isAlive(last)) throw this.#inUse(last);
      if (last !== undefined && after !== undefined && last.id !== after) throw changed(last);
      const time = isoTime(this.#now());
      const mine: StoredClaim = {
        ...this.#self,
        id: randomUUID(),
        agent_id: owner.agent_id,
        since: time,
        renewed_at: time,
      };
      if (await this.#backend.putClaim(mine, owner, last?.id)) return this.#hold(mine.id, owner);
    }
    throw new TenterhookError(
      "agent_in_use",
      `Agent "${owner.agent_id}" is being claimed by many processes at once; another one won each time.`,
    );
  }

  async holder(agent_id: string): Promise<ClaimHolder | undefined> {
    const last = await this.#backend.lastClaim(agent_id);
    if (last === undefined || !this.#isAlive(last)) return undefined;
    const { pid, host, since } = last;
    return { pid, host, since };
  }

  /**
   * The claim that what was just read is no older than. A live holder may add messages after they were read, so a live
   * claim must not be named by its id alone.
   */
  readAfter(claim: StoredClaim): string {
    return this.#isAlive(claim) ? `before the end of ${claim.id}` : claim.id;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#held].map((claim) => claim.release()));
    this.#closed = true;
  }

  #hold(id: string, owner: TranscriptOwner): AgentClaim {
    const lost = new AbortController();
    const renew = async (): Promise<void> => {
      const renewed = await this.#backend.changeClaim(id, { renewed_at: isoTime(this.#now()) }, owner);
      if (renewed || !this.#held.has(claim)) return;
      clearInterval(timer);
      this.#held.delete(claim);
      lost.abort(new TenterhookError("agent_changed", `Agent "${owner.agent_id}" was taken over.`));
    };
    // A failed renewal is retried: a full disk may have room later.
    const timer = setInterval(() => void renew().catch(() => {}), RENEW_MILLISECONDS).unref();
    const claim: AgentClaim = {
      id,
      lost: lost.signal,
      release: async () => {
        clearInterval(timer);
        if (this.#held.delete(claim)) await this.#release(id, owner);
      },
    };
    this.#held.add(claim);
    return claim;
  }

  /** Never rejects. This process knows at once; others when it is written, or when this process ends. */
  async #release(id: string, owner: TranscriptOwner): Promise<void> {
    try {
      await this.#backend.changeClaim(id, { released: true }, owner);
      released.delete(id);
    } catch {
      released.add(id);
      // A full disk may have room later.
      setTimeout(() => {
        if (!this.#closed) void this.#release(id, owner);
      }, RENEW_MILLISECONDS).unref();
    }
  }

  #isAlive(claim: StoredClaim): boolean {
    if (claim.released === true || released.has(claim.id)) return false;
    const ended = hasEnded(claim);
    return ended === undefined ? this.#now() - Date.parse(claim.renewed_at) < SILENT_MILLISECONDS : !ended;
  }

  #inUse({ agent_id, pid, host, since, machine }: StoredClaim): TenterhookError {
    const who = pid === this.#self.pid && machine === this.#self.machine ? "this process" : "process";
    const elsewhere =
      machine === this.#self.machine
        ? ""
        : ` If that machine is gone, the agent is free ${SILENT_MILLISECONDS / 60_000} minutes after its last sign of life.`;
    return new TenterhookError(
      "agent_in_use",
      `Agent "${agent_id}" is being run by ${who} ${pid} on ${host}, since ${since}.`,
      {
        hint: `Wait until it is done, or end that process; or work on a copy: tenterhook sessions fork ${agent_id}, Agent.fork.${elsewhere}`,
      },
    );
  }
}

function changed({ agent_id, pid, host, since }: StoredClaim): TenterhookError {
  return new TenterhookError(
    "agent_changed",
    `Agent "${agent_id}" was run by process ${pid} on ${host} in the meantime (since ${since}): its transcript here is out of date.`,
  );
}
