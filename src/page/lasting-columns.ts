import type { Defaults, RequestContext } from '../plugin/index.ts';
import { ItemColumns } from './item-columns.ts';

function refuse(what: string): never {
  throw new Error(`it looks at ${what}, which its depends_on leaves out`);
}

/**
 * The request that a filter with `depends_on` gets outside of feed requests.
 *
 * It has the columns of items but no viewer, time or users. Anything else throws.
 */
class LastingColumns extends ItemColumns {
  get defaults(): Defaults {
    return this.engine.defaults;
  }

  get viewer(): never {
    return refuse('the viewer');
  }

  get now(): never {
    return refuse('the time');
  }

  get pace_known(): never {
    return refuse('the time');
  }

  get page_length(): never {
    return refuse('the request');
  }

  get effort(): never {
    return refuse('the request');
  }

  override engagement_since(): never {
    return refuse('the time');
  }

  override repeated_since(): never {
    return refuse('the time');
  }

  /** Access to another item would miss changes of that item. */
  override item(): never {
    return refuse('another item');
  }

  override user_field(): never {
    return refuse('a field of a user');
  }
}

class ContentColumns extends LastingColumns {
  override likes_count(): never {
    return refuse('a counter');
  }

  override comments_count(): never {
    return refuse('a counter');
  }

  override shares_count(): never {
    return refuse('a counter');
  }
}

/** @param counts whether counters may be read */
export function lastingColumns(engine: ItemColumns['engine'], counts: boolean): RequestContext {
  // Other methods of a request are absent, so calling them throws.
  const columns: unknown = counts ? new LastingColumns(engine) : new ContentColumns(engine);
  return columns as RequestContext;
}
