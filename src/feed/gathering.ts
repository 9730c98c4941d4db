/** The most that go on in one turn: while their impressions are being stored, the next ones' pages are built. */
const TOGETHER_MAX = 32;

interface Waiting {
  goOn: () => void;
  leave: (reason: unknown) => void;
  given_up: AbortSignal | undefined;
}

/**
 * Lets requests that arrive together go on together. When a service is busy, the event loop finds many at once; each read,
 * built and answered by itself would find the processor's caches full of what the one before did last. Pages that
 * are built one upon the other take a tenth less time. One alone waits for nothing.
 */
export class Gathering {
  /** Who goes on, so many at a time, … */
  private going: Waiting[] = [];
  /** … and who has come since. */
  private coming: Waiting[] = [];
  private planned = false;

  /** @param later runs something when all that has arrived is read */
  constructor(private readonly later: (run: () => void) => void = setImmediate) {}

  /**
   * Resolves, in the order of the calls, when whatever else has arrived is read: in this turn of the event loop, or, when
   * too many wait, in one of the next.
   * @param given_up rejects with its reason in the turn in which it is aborted, and takes nobody's place
   */
  together(given_up?: AbortSignal): Promise<void> {
    return new Promise((goOn, leave) => {
      this.coming.push({ goOn, leave, given_up });
      this.plan();
    });
  }

  private plan(): void {
    if (this.planned) return;
    this.planned = true;
    this.later(() => {
      this.planned = false;
      this.takeTurn();
      if (this.going.length + this.coming.length > 0) this.plan();
    });
  }

  private takeTurn(): void {
    // To look at everybody each turn costs less than to listen to each, which takes a microsecond or two.
    this.going = this.going.filter(stays);
    this.coming = this.coming.filter(stays);
    if (this.going.length === 0) {
      [this.going, this.coming] = [this.coming, this.going];
      // Of a crowd nobody goes on before it is read who has hung up, which comes a turn after the request.
      if (this.going.length > TOGETHER_MAX) return;
    }
    for (const { goOn } of this.going.splice(0, TOGETHER_MAX)) goOn();
  }
}

/** Whether it still waits; whoever has given up leaves. */
function stays({ given_up, leave }: Waiting): boolean {
  if (!given_up?.aborted) return true;
  leave(given_up.reason);
  return false;
}
