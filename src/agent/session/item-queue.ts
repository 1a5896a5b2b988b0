import type { AgentItem } from "../items.ts";

/** Items on their way to whoever reads them, in order. */
export class ItemQueue {
  private readonly items: AgentItem[] = [];
  private wake: (() => void) | undefined;
  private ended = false;

  push(item: AgentItem): void {
    this.items.push(item);
    this.wake?.();
  }

  /** Nothing more comes. */
  end(): void {
    this.ended = true;
    this.wake?.();
  }

  /** The items, as they come, until the end. */
  async *read(): AsyncGenerator<AgentItem, void, void> {
    for (;;) {
      yield* this.items.splice(0);
      if (this.items.length > 0) continue;
      if (this.ended) return;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }
}
