import { rootReasonOf } from '../errors.ts';
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
  private reloading: Promise<void> | undefined;
  private closed = false;

  private constructor(
    private readonly options: SessionOptions,
    private session: Session,
  ) {
    this.watch();
  }

  /** @throws as `openSession` */
  static async open(options: SessionOptions): Promise<Sessions> {
    return new Sessions(options, await openSession(options));
  }

  get service(): Session['service'] {
    return this.session.service;
  }

  /** Starts no more background work that writes, and loads nothing again. */
  pause(): void {
    this.closed = true;
    this.session.pause();
  }

  async close(): Promise<void> {
    await this.reloading;
    await this.session.close();
  }

  private watch(): void {
    this.session.service.cluster?.onLost(() => {
      this.reloading = this.reload();
    });
  }

  private async reload(): Promise<void> {
    const { host, log } = this.options;
    host.unload();
    this.session.pause();
    await this.session
      .close()
      .catch((error) => log.warn({ cause: rootReasonOf(error) }, 'the former state was not closed cleanly'));
    for (let seconds = RETRY_SECONDS; !this.closed; seconds = Math.min(2 * seconds, RETRY_SECONDS_MAX)) {
      try {
        this.session = await openSession({ ...this.options, stopping: undefined });
        this.watch();
        return;
      } catch (error) {
        log.error(
          { cause: rootReasonOf(error), seconds },
          'the state could not be loaded; it is tried again',
        );
        await Bun.sleep(seconds * 1_000);
      }
    }
  }
}
