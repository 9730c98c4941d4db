import type { Editor } from '../../src/feeds/saved-feeds.ts';
import type { Edit } from '../../src/store/audit.ts';

/** A change of a feed or key by the tests. */
export function editAt(now: number): Edit {
  return { now, actor: 'cli:test' };
}

/** The tests as owner of an account's feeds. */
export function editor(account: string): Editor {
  return { account, actor: 'cli:test' };
}
