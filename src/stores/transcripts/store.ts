import { randomUUID } from "node:crypto";
import type { Clock } from "../../core/base/clock.ts";
import { isoTime, systemClock } from "../../core/base/clock.ts";
import { errorMessage } from "../../core/base/error-text.ts";
import { isTenterhookError, TenterhookError } from "../../core/base/errors.ts";
import type {
  ForkOptions,
  ReadTranscriptOptions,
  RolloutItem,
  StoredMessage,
  Transcript,
  TranscriptChanges,
  TranscriptMetadata,
  TranscriptOwner,
  TranscriptStore,
} from "../../core/contracts/transcript.ts";
import type { Backend } from "./backend.ts";
import { Claims } from "./claims.ts";
import { fromJson, isRolloutItem, isStoredMessage, toJson } from "./encode.ts";
import { forkMessages, sharesEnd } from "./fork-messages.ts";
import { listQuery, writeCursor } from "./listing.ts";
import { isChanges } from "./metadata.ts";
import { type RedactScope, type Secrets, secretsOf } from "./secrets.ts";

/** What every store can be told. */
export interface StoreOptions {
  /** Default `records`. */
  readonly redact?: RedactScope;
  /** Where values of secrets are looked up. Default: this process's variables. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly clock?: Pick<Clock, "now">;
}

const DEFAULT_HISTORY = 100;

const PARTS = Symbol("parts");

interface Parts {
  readonly backend: Backend;
  readonly secrets: Secrets;
  readonly clock: Pick<Clock, "now">;
  closing: Promise<void> | undefined;
}

/**
 * A store with what it is made of. What happens with each message are functions that all stores share and that look here
 * for theirs: V8 drops the code it compiled for a function of one store as soon as another store is used.
 */
interface PartedStore extends TranscriptStore {
  readonly [PARTS]: Parts;
}

/** Makes a store of a backend: what is the same wherever transcripts are kept. */
export function createStore(backend: Backend, options: StoreOptions = {}): TranscriptStore {
  const { redact = "records", environment, clock = systemClock } = options;
  const secrets = secretsOf(redact, environment, clock);
  const parts: Parts = { backend, secrets, clock, closing: undefined };
  const now = (): string => isoTime(clock.now());
  const claims = new Claims(backend, { clock });

  async function using<Result>(
    doing: string,
    work: () => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    mustBeOpen(parts);
    signal?.throwIfAborted();
    try {
      return await work();
    } catch (cause) {
      throw signal?.aborted === true ? cause : failed(backend, doing, cause);
    }
  }

  const store: PartedStore = {
    [PARTS]: parts,
    append,
    record,
    save: (changes, owner) =>
      using("Saving", () => backend.save(known(secrets.changes(changes)), checked(owner), now())),
    load: (agent_id, read = {}) =>
      using(
        "Loading",
        async () => {
          const loaded = await backend.load(agent_id, read);
          if (loaded === undefined || !isOf(loaded, read)) return undefined;
          const { claim, ...transcript } = loaded;
          return claim === undefined ? transcript : { ...transcript, claim_id: claims.readAfter(claim) };
        },
        read.signal,
      ),
    rollout: (agent_id, read = {}) => using("Loading", () => backend.rollout(agent_id, read), read.signal),
    list: (filters = {}) =>
      using(
        "Listing",
        async () => {
          const query = listQuery(filters);
          const found = await backend.list(query);
          const transcripts = found.slice(0, query.limit - 1);
          const last = transcripts.at(-1);
          return found.length < query.limit || last === undefined
            ? { transcripts }
            : { transcripts, cursor: writeCursor(last) };
        },
        filters.signal,
      ),
    delete: (agent_id) => using("Deleting", () => backend.delete(agent_id)),
    fork: (agent_id, fork = {}) =>
      using("Forking", () => forked(backend, agent_id, fork, now()), fork.signal),
    claim: (owner, claiming) => using("Claiming", () => claims.take(checked(owner), claiming)),
    holder: (agent_id) => using("Looking for who runs an agent", () => claims.holder(agent_id)),
    typed: (text, { session_id, cwd }) =>
      using("Keeping an input", () =>
        backend.typed(
          secrets.input({ text, session_id, ...(cwd === undefined ? {} : { cwd }), typed_at: now() }),
        ),
      ),
    history: (filters = {}) =>
      using(
        "Reading inputs",
        async () => {
          const { limit = DEFAULT_HISTORY } = filters;
          if (!Number.isInteger(limit) || limit < 1)
            throw new TenterhookError(
              "invalid_option",
              "The limit of the history is a whole number from 1 on.",
            );
          return backend.history({ ...filters, limit });
        },
        filters.signal,
      ),
    location: (owner) => backend.location(owner),
    close() {
      parts.closing ??= claims.close().then(() => backend.close());
      return parts.closing;
    },
  };
  return store;
}

function isOf({ metadata }: Pick<Transcript, "metadata">, { session_id }: ReadTranscriptOptions): boolean {
  return session_id === undefined || session_id === metadata.session_id;
}

async function append(this: PartedStore, message: StoredMessage, owner: TranscriptOwner): Promise<void> {
  const parts = this[PARTS];
  const { backend, secrets, clock } = parts;
  mustBeOpen(parts);
  if (!isStoredMessage(message))
    throw new TenterhookError("invalid_record", `A message for agent "${owner.agent_id}" has no id.`);
  const json = toJson(secrets.message(message), `Message "${message.id}"`);
  try {
    await backend.append(message.id, json, checked(owner), isoTime(clock.now()));
  } catch (cause) {
    throw failed(backend, "Keeping a message", cause);
  }
}

async function record(this: PartedStore, item: RolloutItem, owner: TranscriptOwner): Promise<void> {
  const parts = this[PARTS];
  const { backend, secrets, clock } = parts;
  mustBeOpen(parts);
  if (!isRolloutItem(item))
    throw new TenterhookError("invalid_record", `An item for agent "${owner.agent_id}" has no type.`);
  const json = secrets.itemJson(item);
  try {
    await backend.record(json, checked(owner), isoTime(clock.now()));
  } catch (cause) {
    throw failed(backend, "Recording", cause);
  }
}

function mustBeOpen({ closing, backend }: Parts): void {
  if (closing !== undefined)
    throw new TenterhookError("store_failed", `The store ${backend.place} is closed.`);
}

/** What callers hear when the backend failed. */
function failed({ place }: Backend, doing: string, cause: unknown): unknown {
  if (isTenterhookError(cause)) return cause;
  const message = `${doing} failed in ${place}: ${errorMessage(cause)}`;
  return new TenterhookError("store_failed", message, { cause });
}

async function forked(
  backend: Backend,
  agent_id: string,
  options: ForkOptions,
  time: string,
): Promise<TranscriptMetadata> {
  const { agent_id: id = randomUUID() } = options;
  const original = await backend.load(agent_id, options);
  if (original === undefined)
    throw new TenterhookError("unknown_agent", `No transcript is kept of agent "${agent_id}".`);
  const messages = forkMessages(original.messages, agent_id, options);
  const { title, agent_type, model, cwd, mode, mode_before } = original.metadata;
  const last = messages.at(-1)?.id;
  const metadata: TranscriptMetadata = {
    session_id: id,
    agent_id: id,
    ...(agent_type === undefined ? {} : { agent_type }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(title === undefined ? {} : { title }),
    ...(model === undefined ? {} : { model }),
    ...(mode === undefined ? {} : { mode }),
    ...(mode_before === undefined ? {} : { mode_before }),
    ...(sharesEnd(original, messages, options) ? present(original.metadata) : { status: "complete" }),
    forked_from: { agent_id, ...(last === undefined ? {} : { message_id: last }) },
    created_at: time,
    updated_at: time,
  };
  if (!(await backend.create(metadata, messages)))
    throw new TenterhookError("agent_exists", `There is an agent "${id}" already.`);
  return metadata;
}

/** How an agent is doing, and what belongs to that: a fork that shares the end is where the original is. */
function present({ status, waiting_for, unheard, error }: TranscriptMetadata) {
  return {
    status,
    ...(waiting_for === undefined ? {} : { waiting_for }),
    ...(unheard === undefined ? {} : { unheard }),
    ...(error === undefined ? {} : { error }),
  };
}

function checked(owner: TranscriptOwner): TranscriptOwner {
  if (owner.agent_id !== "" && owner.session_id !== "") return owner;
  throw new TenterhookError("invalid_record", "A transcript needs an agent_id and a session_id.");
}

/** Only what may be saved, as JSON would carry it. */
function known(given: TranscriptChanges): TranscriptChanges {
  const { title, status, waiting_for, unheard, error, model, usage, mode, mode_before } = given;
  const json = toJson(
    { title, status, waiting_for, unheard, error, model, usage, mode, mode_before },
    "What is saved of an agent",
  );
  const changes = fromJson(json);
  if (isChanges(changes)) return changes;
  throw new TenterhookError("invalid_record", `There is no status "${status}".`);
}
