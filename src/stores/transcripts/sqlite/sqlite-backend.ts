import type { TranscriptMetadata, TypedInput } from "../../../core/contracts/transcript.ts";
import type { Backend } from "../backend.ts";
import { fromJson } from "../encode.ts";
import { changedMetadata, isMetadata } from "../metadata.ts";
import { agentRow, beginAgent, putAgent, removeAgents } from "./agent-rows.ts";
import { claimRow, putClaimRow } from "./claim-rows.ts";
import { keyOf, optionalKey } from "./columns.ts";
import { addEntry, messagesOf, rolloutOf } from "./entry-rows.ts";
import { groupCommit } from "./group-commit.ts";
import { listSql } from "./list-sql.ts";
import { type OpenDatabase, openDatabase } from "./open-database.ts";

/** Transcripts in a database. */
export function sqliteBackend(file: string, mostBytes: number | undefined): Backend {
  let opening: Promise<OpenDatabase> | undefined;
  let present: OpenDatabase | undefined;
  const letGo = (): void => {
    present?.close();
    present = undefined;
    opening = undefined;
  };
  const open = async (): Promise<OpenDatabase> => {
    try {
      present = await openDatabase(file, mostBytes);
      return present;
    } catch (error) {
      opening = undefined;
      throw error;
    }
  };
  const opened = async (): Promise<OpenDatabase> => {
    if (present?.isThere() === false) letGo();
    opening ??= open();
    return opening;
  };
  const { write, settled } = groupCommit(opened);
  return {
    place: file,
    append: (id, json, owner, time) =>
      write((database) => {
        beginAgent(database, owner, time);
        addEntry(database, owner.agent_id, id, json);
      }),
    record: (json, owner, time) =>
      write((database) => {
        beginAgent(database, owner, time);
        addEntry(database, owner.agent_id, undefined, json);
      }),
    save: (changes, owner, time) =>
      write((database) => {
        beginAgent(database, owner, time);
        const before = agentRow(database, owner.agent_id);
        if (before !== undefined) putAgent(database, changedMetadata(before, changes, time));
      }),
    async load(agent_id, options) {
      const database = await opened();
      const metadata = agentRow(database, agent_id);
      if (metadata === undefined) return undefined;
      const claim = claimRow(database, agent_id);
      const messages = messagesOf(database, agent_id, options);
      return { metadata, messages, ...(claim === undefined ? {} : { claim }) };
    },
    rollout: async (agent_id, options) => rolloutOf(await opened(), agent_id, options),
    async list(query) {
      const { text, values } = listSql(query);
      const { prepared } = await opened();
      const rows: readonly { readonly metadata: string }[] = prepared(text).all(...values);
      return rows.flatMap((row): readonly TranscriptMetadata[] => {
        const metadata = fromJson(row.metadata);
        return isMetadata(metadata) ? [metadata] : [];
      });
    },
    async delete(agent_id) {
      let found = false;
      await write((database) => {
        found = removeAgents(database, agent_id);
      });
      return found;
    },
    async create(metadata, messages) {
      let isNew = false;
      await write((database) => {
        isNew = agentRow(database, metadata.agent_id) === undefined;
        if (!isNew) return;
        putAgent(database, metadata);
        for (const message of messages)
          addEntry(database, metadata.agent_id, message.id, JSON.stringify(message));
      });
      return isNew;
    },
    typed: (input) =>
      write(({ prepared }) => {
        prepared("INSERT INTO inputs (session, cwd, input) VALUES (?, ?, ?)").run(
          keyOf(input.session_id),
          optionalKey(input.cwd),
          JSON.stringify(input),
        );
      }),
    async history({ session_id, cwd, limit }) {
      const { prepared } = await opened();
      const rows: readonly { readonly input: string }[] = prepared(
        `SELECT input FROM inputs WHERE session = coalesce(?, session) AND cwd IS coalesce(?, cwd)
         ORDER BY seq DESC LIMIT ?`,
      ).all(optionalKey(session_id), optionalKey(cwd), limit);
      return rows.map(({ input }): TypedInput => JSON.parse(input)).reverse();
    },
    lastClaim: async (agent_id) => claimRow(await opened(), agent_id),
    async putClaim(claim, { agent_id }, before) {
      let stands = false;
      await write((database) => {
        stands = claimRow(database, agent_id)?.id === before;
        if (stands) putClaimRow(database, claim);
      });
      return stands;
    },
    async changeClaim(id, change, { agent_id }) {
      let stands = false;
      await write((database) => {
        const last = claimRow(database, agent_id);
        stands = last?.id === id;
        if (last !== undefined && stands) putClaimRow(database, { ...last, ...change });
      });
      return stands;
    },
    location: () => file,
    async close() {
      await settled();
      await opening?.catch(() => {});
      letGo();
    },
  };
}
