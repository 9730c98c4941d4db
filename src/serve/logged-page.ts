import type { Seconds } from '../clock.ts';
import { NO_SIGNALS, ORIGINS, type ShownPage } from '../model/shown-page.ts';
import { originOf, type SourcedItem } from '../page/page-item.ts';
import type { FeedType } from '../plugin/index.ts';
import type { Names } from '../state/names.ts';

/** A page as it is logged. @param feed the number of its saved feed, or 0 */
export function loggedPage(
  names: Pick<Names, 'keysOf'>,
  { feed_type, feed, time }: { feed_type: FeedType; feed: number; time: Seconds },
  page: readonly SourcedItem[],
): ShownPage {
  return {
    time,
    feed,
    feed_type,
    items: names.keysOf(page.map(({ item }) => item)),
    slots: Uint16Array.from(page, (_, at) => at + 1),
    origins: Uint8Array.from(page, (item) => ORIGINS.indexOf(originOf(item))),
    explored: page.find(({ explored }) => explored !== undefined)?.explored,
    ...NO_SIGNALS,
  };
}
