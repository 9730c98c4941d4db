import type { RequestContext } from '../plugin/index.ts';
import type { Engine } from './engine.ts';

function refuse(what: string): () => never {
  return () => {
    throw new Error(`it looks at ${what}, which its depends_on leaves out`);
  };
}

/**
 * The request that a filter with `depends_on` gets outside of feed requests.
 *
 * It has the columns of items but no viewer, time or users. Anything else throws.
 * @param counts whether counters may be read
 */
export function lastingColumns({ columns, defaults }: Engine, counts: boolean): RequestContext {
  const counter = refuse('a counter');
  const [time, request] = [refuse('the time'), refuse('the request')];
  // Other methods of a request are absent, so calling them throws.
  const lasting: unknown = {
    ...columns,
    ...(counts ? {} : { likes_count: counter, comments_count: counter, shares_count: counter }),
    defaults,
    engagement_since: time,
    repeated_since: time,
    // Access to another item would miss changes of that item.
    item: refuse('another item'),
    user_field: refuse('a field of a user'),
    get viewer() {
      return refuse('the viewer')();
    },
    get now() {
      return time();
    },
    get pace_known() {
      return time();
    },
    get page_length() {
      return request();
    },
    get effort() {
      return request();
    },
  };
  return lasting as RequestContext;
}
