import { TRANSCRIPTS } from "../../../agent/transcripts/postgres/schema.ts";
import { FLEET } from "../../../fleet/schema.ts";
import { MONITOR } from "../../../monitor/team/postgres/schema.ts";
import type { Part } from "../../../node/postgres/migrate.ts";

/** Every part of our tables in a database that machines share, in the order in which they are created. */
export const PARTS: readonly Part[] = [TRANSCRIPTS, FLEET, MONITOR];
