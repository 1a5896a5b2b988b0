import { type Clock, isoTime, systemClock } from "../../core/base/clock.ts";
import { errorMessage } from "../../core/base/error-text.ts";
import { isTenterhookError, TenterhookError } from "../../core/base/errors.ts";
import { parseJson } from "../../core/base/json.ts";
import type { TranscriptChanges, TranscriptOwner, TranscriptStore } from "../../core/contracts/transcript.ts";
import type { Backend } from "./backend.ts";
import { Claims } from "./claims.ts";
import { fork } from "./fork.ts";
import { listQuery, writeCursor } from "./listing.ts";
import { isActivityItem, isChanges, isStoredMessage, toJson } from "./records.ts";
import { type RedactScope, type Secrets, secretsOf } from "./secrets.ts";

/** The options of every store. */
export interface StoreOptions {
  /** Default `everything`. */
  readonly redact?: RedactScope;
  /** Where values of secrets are looked up. Default: this process's variables. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly clock?: Pick<Clock, "now">;
}

/** A store on top of a backend: what is the same wherever transcripts are stored. Its methods may be copied and destructured. */
export class Store implements TranscriptStore {
  readonly #backend: Backend;
  readonly #secrets: Secrets;
  readonly #claims: Claims;
  readonly #now: () => string;
  #closing: Promise<void> | undefined = undefined;

  constructor(backend: Backend, options: StoreOptions = {}) {
    const { redact = "everything", environment, clock = systemClock } = options;
    this.#backend = backend;
    this.#secrets = secretsOf(redact, environment, clock);
    this.#claims = new Claims(backend, { clock });
    this.#now = () => isoTime(clock.now());
  }

  readonly append: TranscriptStore["append"] = (message, owner) =>
    this.#use("Storing a message", () => {
      if (!isStoredMessage(message))
        throw new TenterhookError("invalid_record", `A message for agent "${owner.agent_id}" has no id.`);
      const what = `Message "${message.id}"`;
      const whole = toJson(message, what);
      const clean = this.#secrets.message(message);
      const json = clean === message ? whole : toJson(clean, what);
      return this.#backend.append(message.id, json, checked(owner), this.#now());
    });

  readonly record: TranscriptStore["record"] = (item, owner) =>
    this.#use("Recording", () => {
      if (!isActivityItem(item))
        throw new TenterhookError("invalid_record", `An item for agent "${owner.agent_id}" has no type.`);
      const json = toJson(this.#secrets.item(item), `Item "${item.type}"`);
      return this.#backend.record(json, checked(owner), this.#now());
    });

  readonly save: TranscriptStore["save"] = (changes, owner) =>
    this.#use("Saving", () =>
      this.#backend.save(known(this.#secrets.changes(changes)), checked(owner), this.#now()),
    );

  readonly load: TranscriptStore["load"] = (agent_id, options = {}) =>
    this.#use(
      "Loading",
      async () => {
        const loaded = await this.#backend.load(agent_id, options);
        const { session_id = loaded?.metadata.session_id } = options;
        if (loaded === undefined || session_id !== loaded.metadata.session_id) return undefined;
        const { claim, ...transcript } = loaded;
        return claim === undefined ? transcript : { ...transcript, claim_id: this.#claims.readAfter(claim) };
      },
      options.signal,
    );

  readonly activity: TranscriptStore["activity"] = (agent_id, options = {}) =>
    this.#use("Loading", () => this.#backend.activity(agent_id, options), options.signal);

  readonly list: TranscriptStore["list"] = (options = {}) =>
    this.#use(
      "Listing",
      async () => {
        const query = listQuery(options);
        const found = await this.#backend.list(query);
        const transcripts = found.slice(0, query.limit - 1);
        const last = transcripts.at(-1);
        return found.length < query.limit || last === undefined
          ? { transcripts }
          : { transcripts, cursor: writeCursor(last) };
      },
      options.signal,
    );

  readonly delete: TranscriptStore["delete"] = (agent_id) =>
    this.#use("Deleting", () => this.#backend.delete(agent_id));

  readonly fork: TranscriptStore["fork"] = (agent_id, options = {}) =>
    this.#use("Forking", () => fork(this.#backend, agent_id, options, this.#now()), options.signal);

  readonly claim: TranscriptStore["claim"] = (owner, options) =>
    this.#use("Claiming", () => this.#claims.take(checked(owner), options));

  readonly holder: TranscriptStore["holder"] = (agent_id) =>
    this.#use("Looking for the process that runs an agent", () => this.#claims.holder(agent_id));

  readonly location: TranscriptStore["location"] = (owner) => this.#backend.location(owner);

  readonly close: TranscriptStore["close"] = () => {
    this.#closing ??= this.#claims.close().then(() => this.#backend.close());
    return this.#closing;
  };

  /** Gives what the backend throws a code. */
  async #use<Result>(doing: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const { place } = this.#backend;
    if (this.#closing !== undefined)
      throw new TenterhookError("store_failed", `The store ${place} is closed.`);
    signal?.throwIfAborted();
    try {
      return await work();
    } catch (cause) {
      if (isTenterhookError(cause) || signal?.aborted === true) throw cause;
      const message = `${doing} failed in ${place}: ${errorMessage(cause)}`;
      throw new TenterhookError("store_failed", message, { cause });
    }
  }
}

function checked(owner: TranscriptOwner): TranscriptOwner {
  if (owner.agent_id !== "" && owner.session_id !== "") return owner;
  throw new TenterhookError("invalid_record", "A transcript needs an agent_id and a session_id.");
}

/** Only the fields that may be saved, as JSON carries them. */
function known(given: TranscriptChanges): TranscriptChanges {
  const { title, status, waiting_for, unheard, error, model, usage, mode, mode_before } = given;
  const fields = { title, status, waiting_for, unheard, error, model, usage, mode, mode_before };
  const changes = parseJson(toJson(fields, "The state of an agent"));
  if (isChanges(changes)) return changes;
  throw new TenterhookError("invalid_record", `There is no status "${status}".`);
}
