/** Lets so many in at once; the others wait, in the order they came. */
export class Turns {
  private readonly most: number;
  private readonly waiting: (() => void)[] = [];
  private readonly empty: (() => void)[] = [];
  private taken = 0;

  constructor(most: number) {
    this.most = most;
  }

  /** Waits for a turn, which is to be given back. Throws the signal's reason when it is aborted before. */
  async take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.taken < this.most) {
      this.taken += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const onAbort = (): void => {
        this.waiting.splice(this.waiting.indexOf(next), 1);
        reject(signal.reason);
      };
      const next = (): void => {
        signal.removeEventListener("abort", onAbort);
        resolve();
      };
      signal.addEventListener("abort", onAbort, { once: true });
      this.waiting.push(next);
    });
  }

  giveBack(): void {
    const next = this.waiting.shift();
    if (next !== undefined) {
      next(); // It has the turn that is given back.
      return;
    }
    this.taken -= 1;
    if (this.taken === 0) for (const resolve of this.empty.splice(0)) resolve();
  }

  /** Resolves when nobody has a turn or waits for one. */
  async allBack(): Promise<void> {
    while (this.taken > 0) await new Promise<void>((resolve) => this.empty.push(resolve));
  }
}
