const MINUTE_MILLISECONDS = 60_000;

/** The requests to models of the last minute, and some older ones, from all of this program; `time` is the sender's clock. */
let sent: { readonly model: string; readonly time: number }[] = [];
/** How many there may be before the older ones are removed. To look for them at every request would be quadratic. */
let mostKept = 1000;

export function countRequest(model: string, now: number): void {
  sent.push({ model, time: now });
  if (sent.length < mostKept) return;
  sent = sent.filter(({ time }) => isRecent(time, now));
  mostKept = Math.max(1000, 2 * sent.length);
}

/** How many milliseconds it takes until a model that matches may get a request, if at most so many may in a minute. */
export function waitForRate(matches: (model: string) => boolean, most: number, now: number): number {
  const recent = sent.filter(({ model, time }) => isRecent(time, now) && matches(model));
  const oldest = recent[recent.length - most];
  return oldest === undefined ? 0 : oldest.time + MINUTE_MILLISECONDS - now;
}

function isRecent(time: number, now: number): boolean {
  return now - time < MINUTE_MILLISECONDS;
}
