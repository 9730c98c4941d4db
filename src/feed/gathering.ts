import { WaitingLine } from './waiting-line.ts';

/** The most that go on in one turn: while their impressions are being stored, the next ones' pages are built. */
const TOGETHER_MAX = 32;

/**
 * Lets requests that arrive together go on together. When a service is busy, the event loop finds many at once; each read,
 * built and answered by itself would find the processor's caches full of what the one before did last. Pages that
 * are built one upon the other take a tenth less time. One alone waits for nothing.
 */
export class Gathering {
  /** Who goes on, so many at a time, … */
  private going = new WaitingLine();
  /** … and who has come since. */
  private coming = new WaitingLine();
  private planned = false;

  /** @param later runs something when all that has arrived is read */
  constructor(private readonly later: (run: () => void) => unknown = setImmediate) {}

  /**
   * Resolves, in the order of the calls, when whatever else has arrived is read: in this turn of the event loop, or, when
   * too many wait, in one of the next.
   * @param given_up rejects with its reason once it is aborted, and takes nobody's place from then on
   */
  async together(given_up?: AbortSignal): Promise<void> {
    // Whoever goes on in this turn need not listen, which takes a microsecond or two.
    const goes_next = this.going.length === 0 && this.coming.length < TOGETHER_MAX;
    this.plan();
    await this.coming.wait(goes_next ? undefined : given_up);
    given_up?.throwIfAborted();
  }

  private plan(): void {
    if (this.planned) return;
    this.planned = true;
    this.later(() => {
      this.planned = false;
      this.goOn();
      if (this.going.length + this.coming.length > 0) this.plan();
    });
  }

  private goOn(): void {
    if (this.going.length === 0) {
      [this.going, this.coming] = [this.coming, this.going];
      // Of a crowd nobody goes on before it is read who has hung up, which comes a turn after the request.
      if (this.going.length > TOGETHER_MAX) return;
    }
    let places = TOGETHER_MAX;
    while (places > 0 && this.going.next()) places--;
  }
}
