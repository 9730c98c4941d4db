import type { FeedRequest } from '../serve/serve-feed.ts';

/** What is measured: a scoring function, or a saved feed. */
export interface Contestant {
  /** The name of its row. */
  name: string;
  /** Whether its scores are probabilities of an act. */
  is_probability?: boolean;
  /** The parameters of its pages. */
  request: Pick<FeedRequest, 'scoring' | 'time_decay' | 'unsaved'>;
}
