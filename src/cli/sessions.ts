import { rootReasonOf } from '../errors.ts';
import { untilStopped } from '../until-stopped.ts';
import { openSession, type Session, type SessionOptions } from './session.ts';

/** Seconds between attempts to load a node again. They double up to the maximum. */
const RETRY_SECONDS = 1;
const RETRY_SECONDS_MAX = 10;

/**
 * The sessions of a process: the current one, and the next one after a node has lost the log.
 *
 * A node that was deposed, or that the log left behind, loads its state again. Until then its requests get 503.
 */
export class Sessions {
  private reloading: Promise<void> = Promise.resolve();
  /** Aborted by `pause`: a reload then ends early. */
  private readonly stopping = new AbortController();
  /** False while a node loads its state again. The session is then the former one. */
  private is_open = true;

  private constructor(
    private readonly options: SessionOptions,
    private session: Session,
  ) {
    this.watch();
  }

  static async open(options: SessionOptions): Promise<Sessions> {
    return new Sessions(options, await openSession(options));
  }

  get service(): Session['service'] {
    return this.session.service;
  }

  /** Starts no more background work that writes, and loads nothing again. */
  pause(): void {
    this.stopping.abort(new Error('the process is stopping'));
    this.session.pause();
  }

  async retire(): Promise<void> {
    if (this.is_open) await this.session.retire();
  }

  async handOver(): Promise<void> {
    if (this.is_open) await this.session.handOver();
  }

  /** Closes the current session. A reload that is under way ends first, without loading to its end. */
  async close(): Promise<void> {
    this.pause();
    await this.reloading;
    await this.end();
  }

  private watch(): void {
    this.session.service.cluster?.onLost(() => {
      // After a stop, `close` closes the session.
      if (!this.stopping.signal.aborted) this.reloading = this.reload();
    });
  }

  private async reload(): Promise<void> {
    const { host, log } = this.options;
    host.unload();
    this.session.pause();
    await this.end().catch((error) =>
      log.warn({ cause: rootReasonOf(error) }, 'the former state was not closed cleanly'),
    );
    const { signal } = this.stopping;
    for (let seconds = RETRY_SECONDS; !signal.aborted; seconds = Math.min(2 * seconds, RETRY_SECONDS_MAX)) {
      try {
        this.session = await openSession({ ...this.options, stopping: signal });
        this.is_open = true;
        // The stop may have come after the last check of the load.
        if (signal.aborted) this.session.pause();
        this.watch();
        return;
      } catch (error) {
        if (signal.aborted) return;
        log.error(
          { cause: rootReasonOf(error), seconds },
          'the state could not be loaded; it is tried again',
        );
        await untilStopped(Bun.sleep(seconds * 1_000), signal).catch(() => {});
      }
    }
  }

  private async end(): Promise<void> {
    if (!this.is_open) return;
    this.is_open = false;
    await this.session.close();
  }
}
