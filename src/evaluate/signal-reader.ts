import { PLUGIN_API } from '../plugin/api.ts';
import { definePlugin, defineScoringFunction, type Ordinal, type Plugin, Type } from '../plugin/index.ts';

export const SIGNALS_SCORING = 'tune/signals_v1.0.0';

/**
 * Other candidates that are kept. A random sample of them leads to the same weights (McFadden, 1978), and reading some
 * signals of all would take long.
 */
const OTHERS_MAX = 40;
const SECONDS_PER_HOUR = 3600;

/** A candidate of a page: the values of its signals, and the hours since it was created. */
export interface Candidate {
  signals: readonly number[];
  age_hours: number;
}

/** What a user chose, and what the page could have shown instead. */
export interface Choice {
  chosen: Candidate;
  others: readonly Candidate[];
}

/** Reads the signals of a page's candidates, with a scoring function of the public contract. */
export class SignalReader {
  private chosen_id = '';
  private chosen: Candidate | undefined;
  private others: Candidate[] = [];
  private met = 0;

  /** @param names the signals to read */
  constructor(readonly names: readonly string[]) {}

  /** Plugin with the scoring function `tune/signals_v1.0.0`. The order of its items means nothing. */
  get plugin(): Plugin {
    const scoring = defineScoringFunction({
      summary: 'Reads the signals of the candidates.',
      feeds: ['for-you'],
      candidate_limit: 500,
      options: Type.Object({}),
      signals: () => [...this.names],
      compile: () => (request) => {
        const { viewer, item: items, now } = request;
        const signals = this.names.map((name) => request.signal(name));
        const chosen = items.find(this.chosen_id);
        const read = (item: Ordinal): Candidate => ({
          signals: signals.map((signal) => signal(item)),
          age_hours: Math.max(0, now - items.created_at(item)) / SECONDS_PER_HOUR,
        });
        return (item) => {
          if (item === chosen) this.chosen = read(item);
          else if (!viewer.has_interacted(item) && !viewer.has_seen(item)) {
            // Knuth, TAOCP 2, 3.4.2, algorithm R.
            const place = this.met < OTHERS_MAX ? this.met : Math.floor(request.random() * (this.met + 1));
            this.met++;
            if (place < OTHERS_MAX) this.others[place] = read(item);
          }
          return 0;
        };
      },
    });
    return definePlugin({
      meta: { name: 'tune', version: '1.0.0', api: PLUGIN_API },
      scoring_functions: { [SIGNALS_SCORING]: scoring },
    });
  }

  /**
   * Reads the candidates of a page. Undefined if the chosen item was not among them.
   * @param build builds the page with `tune/signals_v1.0.0`
   */
  async choice(chosen_id: string, build: () => Promise<unknown>): Promise<Choice | undefined> {
    this.chosen_id = chosen_id;
    // Not when the function is bound: a page that is short binds it once more, for items that were seen.
    this.chosen = undefined;
    this.others = [];
    this.met = 0;
    await build();
    const { chosen, others } = this;
    return chosen && { chosen, others };
  }
}
