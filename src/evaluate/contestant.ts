import type { FeedRequest } from '../serve/serve-feed.ts';

/** What is measured: a scoring function, or a saved feed. */
export interface Contestant {
  /** The name of its row. */
  name: string;
  /** Whether it learns from shown pages. Its scores are then probabilities of an act. */
  learns?: boolean;
  /** The parameters of its pages. */
  request: Pick<FeedRequest, 'scoring' | 'time_decay' | 'unsaved'>;
}
