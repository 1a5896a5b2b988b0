import { claudeTurns } from "./claude/transcript.ts";
import type { TurnFormat } from "./codec/turn-sign.ts";
import { codexTurns } from "./codex/transcript.ts";
import { geminiTurns } from "./gemini/transcript.ts";

/** The agents whose transcripts say how a turn ended. */
export const TURN_SIGNS: ReadonlyMap<string, TurnFormat> = new Map([
  ["claude", claudeTurns],
  ["codex", codexTurns],
  ["gemini", geminiTurns],
]);
