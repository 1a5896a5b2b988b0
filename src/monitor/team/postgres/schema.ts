import type { Part } from "../../../node/postgres/migrate.ts";

/**
 * What the monitors of several machines tell each other: a log of events, the ends of decisions, and answers on their way. Positions
 * are read in order, so a writer holds {@link LOG_LOCK} until its transaction has committed.
 */
export const MONITOR: Part = {
  name: "monitor",
  migrations: [
    `CREATE TABLE tenterhook.machines (
       name text PRIMARY KEY, id text NOT NULL UNIQUE,
       joined_at timestamptz NOT NULL DEFAULT now(), seen_at timestamptz NOT NULL DEFAULT now()
     );
     CREATE TABLE tenterhook.events (
       position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text NOT NULL UNIQUE, machine text NOT NULL,
       stored_at timestamptz NOT NULL DEFAULT now(), json text NOT NULL
     );
     CREATE INDEX ON tenterhook.events (stored_at);
     CREATE TABLE tenterhook.receipts (
       position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, decision text NOT NULL UNIQUE, machine text NOT NULL,
       stored_at timestamptz NOT NULL DEFAULT now(), json text NOT NULL
     );
     CREATE INDEX ON tenterhook.receipts (stored_at);
     CREATE TABLE tenterhook.answers (
       decision text PRIMARY KEY, machine text NOT NULL, given_at timestamptz NOT NULL DEFAULT now(), json text NOT NULL
     );
     CREATE INDEX ON tenterhook.answers (machine);`,
  ],
};

/** Held while something is added to the log: "hook" in ASCII. */
export const LOG_LOCK = 0x68_6f_6f_6b;

/** Those who listen here look into the tables. */
export const CHANNEL = "tenterhook_monitor";
