import { claudeSessions } from "./claude/transcript.ts";
import type { RecordedSessions } from "./codec/recorded-session.ts";
import { codexSessions } from "./codex/transcript.ts";
import { copilotSessions } from "./copilot/recorded.ts";
import { geminiSessions } from "./gemini/transcript.ts";
import { opencodeSessions } from "./opencode/recorded.ts";
import { piSessions } from "./pi/transcript.ts";
import { qwenSessions } from "./qwen/transcript.ts";

/** The agents whose sessions can be read, in the order in which they are asked whose a file is. */
export const RECORDED_SESSIONS: ReadonlyMap<string, RecordedSessions> = new Map([
  ["claude", claudeSessions],
  ["codex", codexSessions],
  ["gemini", geminiSessions],
  ["qwen", qwenSessions],
  ["copilot", copilotSessions],
  ["opencode", opencodeSessions],
  ["pi", piSessions],
]);
