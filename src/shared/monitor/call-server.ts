/** What decides calls until it is closed. */
export interface CallServer {
  /** When the last call came, in milliseconds since 1970, or now while one is being decided or its hooks run on. */
  lastCall(): number;
  /** True when the program was removed or replaced since it was started: it decides no call any more. */
  isReplaced(): boolean;
  /** Calls under way are finished, and what comes after them, unless that takes too long. */
  close(): Promise<void>;
}
