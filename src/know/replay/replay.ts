import { relative, resolve } from "node:path";
import type { Config } from "../../config.ts";
import { withoutUndefined } from "../../core/base/json.ts";
import { createRedactor } from "../../node/records/redact.ts";
import { type TriedHooks, tryHooks } from "../tried-hooks.ts";
import { eventMaker } from "./event-of.ts";
import type { SessionFile } from "./find-sessions.ts";
import { type Judged, judgedOf } from "./judged.ts";
import { journalSessions } from "./own-sessions.ts";
import { readSession, type TellsOf } from "./read-session.ts";
import { type Replay, Tally } from "./tally.ts";

export interface ReplayOptions {
  readonly config: Config;
  /** Another configuration, with which it is compared. */
  readonly against?: Config;
  readonly files: readonly SessionFile[];
  /** Where sessions worked that do not say so. */
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Only events of this time or later. */
  readonly since?: Date;
  /** Only sessions in this folder and below it. */
  readonly project?: string;
  /** Programs, servers and models are asked as well. */
  readonly run?: boolean;
  /** Ends the replay with what was found so far. */
  readonly signal?: AbortSignal;
  /** Is called now and then. */
  readonly onProgress?: (progress: Progress) => void;
}

export interface Progress {
  readonly bytes: number;
  readonly events: number;
}

/** Runs recorded events through a configuration and counts what it would do about them. */
export async function replay(options: ReplayOptions): Promise<Replay> {
  const { config, against, files, cwd, environment, signal, onProgress, run } = options;
  const tally = new Tally(createRedactor(environment), against !== undefined);
  const eventOf = await eventMaker(cwd);
  const tried = await tryHooks(config, withoutUndefined({ run }));
  const other = against === undefined ? undefined : await tryHooks(against);
  /** The sessions that a transcript tells of: the journal has them again. */
  const told = new Set<string>();
  let bytes = 0;
  const isEnded = (): boolean => signal?.aborted === true;
  const judge = async (hooks: TriedHooks, event: object): Promise<Judged> =>
    judgedOf(await hooks.fire(event, withoutUndefined({ signal })));
  try {
    for (const file of files) {
      if (isEnded()) break;
      const isJournal = file.sessions === journalSessions;
      const hooks = {
        unreadable: (place: Parameters<Tally["cannotRead"]>[0]) => tally.cannotRead(place),
        bytes: (count: number) => {
          bytes += count;
        },
      };
      for await (const tells of readSession(file, hooks, signal)) {
        for (const one of tells) {
          if (isEnded()) break;
          if (!isChosen(one, options)) continue;
          if (isJournal && told.has(one.session_id)) continue;
          if (!isJournal) told.add(one.session_id);
          const agent = one.host ?? file.agent;
          const event = eventOf(one, isJournal ? "tenterhook" : file.agent);
          if (event === undefined) {
            tally.cannotRead({ agent, file: file.file, why: "a call has no name or no input" });
            continue;
          }
          const judged = await judge(tried, event);
          const compared = other === undefined ? {} : { against: await judge(other, event) };
          // What was decided while everything ends counts for nothing.
          if (isEnded()) break;
          const { session_id, at, recorded } = one;
          const time = typeof at === "string" ? { at } : {};
          tally.add({
            agent,
            session_id,
            event,
            judged,
            ...time,
            ...compared,
            ...withoutUndefined({ recorded }),
          });
        }
        onProgress?.({ bytes, events: tally.events });
      }
    }
    return tally.result();
  } finally {
    await tried.close();
    await other?.close();
  }
}

function isChosen({ at, cwd }: TellsOf, { since, project }: ReplayOptions): boolean {
  if (since !== undefined && typeof at === "string" && Date.parse(at) < since.getTime()) return false;
  if (project === undefined) return true;
  const from = cwd === undefined ? ".." : relative(project, resolve(cwd));
  return !from.startsWith("..");
}
