import type { Seconds } from '../clock.ts';
import { type LearningPage, NO_SIGNALS, ORIGINS, type ShownPage } from '../model/shown-page.ts';
import type { LoggedSignals, PageOf } from '../page/learnt.ts';
import { originOf, type SourcedItem } from '../page/page-item.ts';
import type { Names } from '../state/names.ts';
import type { State } from '../state/state.ts';

/** Whether pages of a viewer may be logged for learning. */
export function mayLog({ users, preferences }: State, viewer_id: string): boolean {
  return preferences.isPersonalised(users.names.find(viewer_id));
}

/** A page as it is logged. @param learning how it is learnt from. Undefined: it is not */
export function loggedPage(
  names: Pick<Names, 'keysOf'>,
  { feed_type, feed }: PageOf,
  time: Seconds,
  page: readonly SourcedItem[],
  signals: LoggedSignals | undefined,
  learning: LearningPage | undefined,
): ShownPage {
  return {
    time,
    feed,
    feed_type,
    items: names.keysOf(page.map(({ item }) => item)),
    slots: Uint16Array.from(page, (_, at) => at + 1),
    origins: Uint8Array.from(page, (item) => ORIGINS.indexOf(originOf(item))),
    explored: page.find(({ explored }) => explored !== undefined)?.explored,
    ...(signals ?? NO_SIGNALS),
    learning,
  };
}
