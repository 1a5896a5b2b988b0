import { parseJson } from "../../core/base/json.ts";
import type {
  ActivityStep,
  StoredMessage,
  TranscriptMetadata,
  TranscriptOwner,
  TranscriptStore,
} from "../../core/contracts/transcript.ts";
import type { Backend } from "./backend.ts";
import { listed } from "./listing.ts";
import {
  changedMetadata,
  firstMetadata,
  isActivityItem,
  isStoredMessage,
  type StoredClaim,
  withDescendants,
} from "./records.ts";
import { Store, type StoreOptions } from "./store.ts";

interface MemoryAgent {
  metadata: TranscriptMetadata;
  /** Stored as JSON, so that no caller can change it. */
  readonly entries: { readonly message_id?: string; readonly json: string }[];
  readonly ids: Set<string>;
}

/** A store that lasts as long as this process, for tests and for agents that are never resumed. */
export function memoryStore(options: StoreOptions = {}): TranscriptStore {
  return new Store(memoryBackend(), options);
}

function memoryBackend(): Backend {
  const agents = new Map<string, MemoryAgent>();
  const claims = new Map<string, StoredClaim>();
  const agentOf = (owner: TranscriptOwner, time: string): MemoryAgent => {
    const start = (): MemoryAgent => ({ metadata: firstMetadata(owner, time), entries: [], ids: new Set() });
    const agent = agents.get(owner.agent_id) ?? start();
    agents.set(owner.agent_id, agent);
    return agent;
  };
  const everyone = (): readonly TranscriptMetadata[] => [...agents.values()].map(({ metadata }) => metadata);
  return {
    place: "memory",
    async append(id, json, owner, time) {
      const { ids, entries } = agentOf(owner, time);
      if (ids.has(id)) return;
      ids.add(id);
      entries.push({ message_id: id, json });
    },
    async record(json, owner, time) {
      agentOf(owner, time).entries.push({ json });
    },
    async save(changes, owner, time) {
      const agent = agentOf(owner, time);
      agent.metadata = changedMetadata(agent.metadata, changes, time);
    },
    async load(agent_id) {
      const agent = agents.get(agent_id);
      if (agent === undefined) return undefined;
      const messages = agent.entries.flatMap(({ message_id, json }): readonly StoredMessage[] => {
        const message = message_id === undefined ? undefined : parseJson(json);
        return isStoredMessage(message) ? [message] : [];
      });
      const claim = claims.get(agent_id);
      return { metadata: agent.metadata, messages, claim };
    },
    async activity(agent_id) {
      return (agents.get(agent_id)?.entries ?? []).flatMap(
        ({ message_id, json }): readonly ActivityStep[] => {
          if (message_id !== undefined) return [{ message_id }];
          const item = parseJson(json);
          return isActivityItem(item) ? [{ item }] : [];
        },
      );
    },
    list: async (query) => listed(everyone(), query),
    async delete(agent_id) {
      if (!agents.has(agent_id)) return false;
      for (const id of withDescendants(agent_id, everyone())) {
        agents.delete(id);
        claims.delete(id);
      }
      return true;
    },
    async create(metadata, messages) {
      if (agents.has(metadata.agent_id)) return false;
      agents.set(metadata.agent_id, {
        metadata,
        entries: messages.map((message) => ({ message_id: message.id, json: JSON.stringify(message) })),
        ids: new Set(messages.map(({ id }) => id)),
      });
      return true;
    },
    lastClaim: async (agent_id) => claims.get(agent_id),
    async putClaim(claim, { agent_id }, before) {
      if (claims.get(agent_id)?.id !== before) return false;
      claims.set(agent_id, claim);
      return true;
    },
    async changeClaim(id, change, { agent_id }) {
      const last = claims.get(agent_id);
      if (last?.id !== id) return false;
      claims.set(agent_id, { ...last, ...change });
      return true;
    },
    location: () => undefined,
    async close() {},
  };
}
