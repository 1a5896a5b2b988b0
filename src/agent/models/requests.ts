const MINUTE_MILLISECONDS = 60_000;

interface Request {
  readonly model: string;
  /** By the clock of who sent it. */
  readonly time: number;
}

/** The requests of the last minute, of everything in this program that asks a model. */
let sent: readonly Request[] = [];

/** Counts a request to a model. */
export function countRequest(model: string, now: number): void {
  sent = [...sent.filter(({ time }) => now - time < MINUTE_MILLISECONDS), { model, time: now }];
}

/** How many milliseconds it takes until a model that matches may get a request, if at most so many may in a minute. */
export function waitForRate(matches: (model: string) => boolean, most: number, now: number): number {
  const recent = sent.filter(({ model, time }) => now - time < MINUTE_MILLISECONDS && matches(model));
  const oldest = recent[recent.length - most];
  return oldest === undefined ? 0 : oldest.time + MINUTE_MILLISECONDS - now;
}
