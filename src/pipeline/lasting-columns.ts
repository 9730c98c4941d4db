import type { Defaults, RequestContext } from '../plugin/index.ts';
import { ItemColumns } from './item-columns.ts';

function refuse(what: string): never {
  throw new Error(`it looks at ${what}, which its depends_on leaves out`);
}

/**
 * What a filter sees that says what it depends on, when it is asked outside of requests: columns of items, and no
 * viewer, time or user. Whatever else it looks at throws.
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

  /** The way to every item but the one that is asked about, of whose changes nothing is noticed. */
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

/** @param counts counters may be looked at, too */
export function lastingColumns(engine: ItemColumns['engine'], counts: boolean): RequestContext {
  // The methods of a request that are not there throw when they are called.
  const columns: unknown = counts ? new LastingColumns(engine) : new ContentColumns(engine);
  return columns as RequestContext;
}
