import { setImmediate as nextTurn } from 'node:timers/promises';
import { monotonicMs } from '../clock.ts';
import { rootReasonOf } from '../errors.ts';
import type { PluginLog } from '../plugin/index.ts';
import { fillWords, type StoredContents } from '../state/fill-words.ts';
import type { State } from '../state/state.ts';
import { WordsIncomplete } from '../state/word-matcher.ts';
import { unreadable } from '../store/refusals.ts';
import { untilStopped } from '../until-stopped.ts';

/** Fills in the words of all items when something uses them, beside requests. */
export class WordFilling {
  private filling: Promise<void> | undefined;

  constructor(
    private readonly state: State,
    private readonly store: StoredContents,
    private readonly log: PluginLog,
  ) {
    // The checkpoint may have the words although nothing uses them any more.
    if (!state.words.is_wanted) state.words.turnOff();
    state.words.whenWanted(() => void this.fill().catch(() => {}));
  }

  /**
   * Runs a task. If it needs words that are not complete, it waits until they are, and returns undefined.
   * @throws errors of `task` and of the store; the reason of `given_up`
   */
  async around<T>(task: () => Promise<T>, given_up?: AbortSignal): Promise<T | undefined> {
    try {
      return await task();
    } catch (error) {
      if (!(error instanceof WordsIncomplete)) throw error;
      await untilStopped(this.fill(), given_up);
      return undefined;
    }
  }

  /** @throws ServiceError `store_unavailable` */
  private fill(): Promise<void> {
    if (this.state.words.is_complete) return Promise.resolve();
    this.filling ??= this.fillOnce().finally(() => {
      this.filling = undefined;
    });
    return this.filling;
  }

  private async fillOnce(): Promise<void> {
    const start_ms = monotonicMs();
    const { state, store, log } = this;
    try {
      await fillWords(state, store, nextTurn);
    } catch (error) {
      log.warn(
        { cause: rootReasonOf(error) },
        'the words of items could not be read; the next request that needs them tries again',
      );
      throw unreadable(error);
    }
    const { count: words, size_bytes: bytes } = state.words;
    log.info(
      { words, bytes, milliseconds: Math.round(monotonicMs() - start_ms) },
      'the words of all items are in memory',
    );
  }
}
