import type { Part } from "../../../node/postgres/migrate.ts";

/**
 * The tables of transcripts. Texts that come from outside are JSON: PostgreSQL has no zeros and no lone surrogates.
 *
 * `write_transcript` adds entries under the next numbers and changes what is known of the agent, all or nothing, in one
 * trip; an agent that has no row gets one. It writes nothing for a caller that has lost a claim, since a process that was
 * taken over must not write, nor when the metadata is not what the caller knows (`before`; null: the metadata stays as it
 * is). The locks make a takeover wait for what is being written, and what comes later see the takeover. Every batch has an
 * id of its own, by which a retry finds its own write.
 */
export const TRANSCRIPTS: Part = {
  name: "transcripts",
  migrations: [
    `CREATE TABLE tenterhook.transcripts (
       agent text COLLATE "C" PRIMARY KEY, session text NOT NULL, parent text, status text NOT NULL, cwd text,
       title text NOT NULL, created text COLLATE "C" NOT NULL, updated text COLLATE "C" NOT NULL, metadata text NOT NULL,
       entries bigint NOT NULL DEFAULT 0, last_batch uuid
     );
     CREATE INDEX ON tenterhook.transcripts (created, agent);
     CREATE INDEX ON tenterhook.transcripts (session);
     CREATE INDEX ON tenterhook.transcripts (parent);
     CREATE TABLE tenterhook.transcript_entries (
       agent text COLLATE "C" NOT NULL REFERENCES tenterhook.transcripts ON DELETE CASCADE,
       seq bigint NOT NULL, message text COLLATE "C", json text NOT NULL,
       PRIMARY KEY (agent, seq)
     );
     CREATE UNIQUE INDEX ON tenterhook.transcript_entries (agent, message) WHERE message IS NOT NULL;
     CREATE TABLE tenterhook.transcript_claims (
       agent text COLLATE "C" PRIMARY KEY, id text NOT NULL, claim text NOT NULL
     );
     CREATE FUNCTION tenterhook.has_claims(agents text[], ids text[]) RETURNS boolean LANGUAGE plpgsql AS $$
     BEGIN
       FOR at IN 1 .. cardinality(agents) LOOP
         PERFORM 1 FROM tenterhook.transcript_claims WHERE agent = agents[at] AND id = ids[at] FOR SHARE;
         IF NOT FOUND THEN RETURN false; END IF;
       END LOOP;
       RETURN true;
     END $$;
     CREATE FUNCTION tenterhook.write_transcript(
       batch uuid, of_agent text, new_session text, new_parent text, new_status text, new_cwd text, new_title text,
       new_created text, new_updated text, new_metadata text, before text, claimed text[], claim_ids text[],
       new_messages text[], jsons text[]
     ) RETURNS text LANGUAGE plpgsql AS $$
     DECLARE last bigint; added bigint; stored text; stored_batch uuid;
     BEGIN
       SELECT entries, metadata, last_batch INTO last, stored, stored_batch
         FROM tenterhook.transcripts WHERE agent = of_agent FOR UPDATE;
       -- A retry may find its own write.
       IF stored_batch = batch THEN RETURN 'written'; END IF;
       IF NOT tenterhook.has_claims(claimed, claim_ids) THEN RETURN 'claim lost'; END IF;
       IF last IS NULL THEN
         INSERT INTO tenterhook.transcripts (agent, session, parent, status, cwd, title, created, updated, metadata)
         VALUES (of_agent, new_session, new_parent, new_status, new_cwd, new_title, new_created, new_updated, new_metadata)
         ON CONFLICT DO NOTHING;
         IF NOT FOUND THEN RETURN 'another came first'; END IF;
         last := 0;
       ELSIF stored <> before THEN
         RETURN 'another came first';
       END IF;
       WITH given AS (
         SELECT message, json, at, row_number() OVER (PARTITION BY message ORDER BY at) AS copy
         FROM unnest(new_messages, jsons) WITH ORDINALITY AS given (message, json, at)
       ), new AS (
         SELECT message, json, at FROM given WHERE message IS NULL OR (copy = 1 AND NOT EXISTS (
           SELECT 1 FROM tenterhook.transcript_entries stored WHERE stored.agent = of_agent AND stored.message = given.message))
       ), written AS (
         INSERT INTO tenterhook.transcript_entries (agent, seq, message, json)
         SELECT of_agent, last + row_number() OVER (ORDER BY at), message, json FROM new
         RETURNING 1
       )
       SELECT count(*) INTO added FROM written;
       IF before IS NULL THEN
         UPDATE tenterhook.transcripts SET entries = last + added, last_batch = batch
           WHERE agent = of_agent AND added > 0;
       ELSE
         UPDATE tenterhook.transcripts SET entries = last + added, last_batch = batch, status = new_status,
           title = new_title, updated = new_updated, metadata = new_metadata WHERE agent = of_agent;
       END IF;
       RETURN 'written';
     END $$;`,
  ],
};
