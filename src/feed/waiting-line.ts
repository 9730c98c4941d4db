type GoOn = () => void;

/** Those who wait, first come first served. Whoever gives up leaves at once; to leave costs the same wherever one stands. */
export class WaitingLine {
  private readonly waiting = new Set<GoOn>();
  /** Stands before the first. A new iteration would pass all that have gone on since the engine last tidied the set. */
  private order = this.waiting.values();

  get length(): number {
    return this.waiting.size;
  }

  /**
   * Resolves when it is let go on.
   * @param given_up rejects with its reason as soon as it is aborted
   */
  wait(given_up?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      given_up?.throwIfAborted();
      this.waiting.add(resolve);
      const leave = () => {
        if (this.waiting.delete(resolve)) reject(given_up?.reason);
      };
      given_up?.addEventListener('abort', leave, { once: true });
    });
  }

  /** Lets the first go on. @returns false when nobody waits */
  next(): boolean {
    const goOn = this.first();
    if (goOn === undefined) return false;
    this.waiting.delete(goOn);
    goOn();
    return true;
  }

  private first(): GoOn | undefined {
    const { value } = this.order.next();
    if (value !== undefined) return value;
    // One that has come to its end stays there, whoever comes later.
    this.order = this.waiting.values();
    return this.order.next().value;
  }
}
