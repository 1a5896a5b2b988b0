import type { Part } from "../../../node/postgres/migrate.ts";

/**
 * The tables of transcripts. Texts that come from outside are JSON: PostgreSQL has no zeros and no lone surrogates.
 *
 * `append_to_transcript` adds entries under the next numbers, all or none, in one trip. It returns null when the agent has
 * no row, and false when the caller has lost a claim: a process that was taken over must not write. The locks make a
 * takeover wait for what is being written, and what comes later see the takeover.
 */
export const TRANSCRIPTS: Part = {
  name: "transcripts",
  migrations: [
    `CREATE TABLE tenterhook.transcripts (
       agent text COLLATE "C" PRIMARY KEY, session text NOT NULL, parent text, status text NOT NULL, cwd text,
       title text NOT NULL, created text COLLATE "C" NOT NULL, updated text COLLATE "C" NOT NULL, metadata text NOT NULL,
       entries bigint NOT NULL DEFAULT 0
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
     CREATE TABLE tenterhook.typed_inputs (
       seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, session text NOT NULL, cwd text, input text NOT NULL
     );
     CREATE FUNCTION tenterhook.has_claims(agents text[], ids text[]) RETURNS boolean LANGUAGE plpgsql AS $$
     BEGIN
       FOR at IN 1 .. cardinality(agents) LOOP
         PERFORM 1 FROM tenterhook.transcript_claims WHERE agent = agents[at] AND id = ids[at] FOR SHARE;
         IF NOT FOUND THEN RETURN false; END IF;
       END LOOP;
       RETURN true;
     END $$;
     CREATE FUNCTION tenterhook.append_to_transcript(
       of_agent text, claimed text[], claim_ids text[], new_messages text[], jsons text[]
     ) RETURNS boolean LANGUAGE plpgsql AS $$
     DECLARE last bigint; added bigint;
     BEGIN
       SELECT entries INTO last FROM tenterhook.transcripts WHERE agent = of_agent FOR UPDATE;
       IF NOT FOUND THEN RETURN NULL; END IF;
       IF NOT tenterhook.has_claims(claimed, claim_ids) THEN RETURN false; END IF;
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
       UPDATE tenterhook.transcripts SET entries = last + added WHERE agent = of_agent AND added > 0;
       RETURN true;
     END $$;`,
  ],
};
