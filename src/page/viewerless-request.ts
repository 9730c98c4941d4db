import type { RequestContext } from '../plugin/index.ts';
import type { Engine } from './engine.ts';

function refuse(what: string): () => never {
  return () => {
    throw new Error(`it looks at ${what}, which its depends_on leaves out`);
  };
}

/**
 * The request that a filter with `depends_on` gets when its results are cached for all viewers and times.
 *
 * It has the columns of items. Reading a viewer, a time, a field of a user or anything else throws.
 * @param counts whether counters may be read
 */
export function viewerlessRequest({ columns, defaults }: Engine, counts: boolean): RequestContext {
  const counter = refuse('a counter');
  const [time, request] = [refuse('the time'), refuse('the request')];
  // Other methods of a request are absent, so calling them throws.
  const request_without_viewer: unknown = {
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
  return request_without_viewer as RequestContext;
}
