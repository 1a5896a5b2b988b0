import { claudeTurns } from "./claude/turn-sign.ts";
import type { TurnFormat } from "./codec/turn-sign.ts";
import { codexTurns } from "./codex/turn-sign.ts";
import { geminiTurns } from "./gemini/turn-sign.ts";

/** The agents whose transcripts say how a turn ended. */
export const TURN_SIGNS: ReadonlyMap<string, TurnFormat> = new Map([
  ["claude", claudeTurns],
  ["codex", codexTurns],
  ["gemini", geminiTurns],
]);
