import { DAY_SECONDS } from '../clock.ts';
import { scoreOf, signalOf } from '../learner/features.ts';
import type { Change } from '../model/change.ts';
import { SHOWN, type ShownChange } from '../model/changes/shown.ts';
import { NONE } from '../model/key.ts';
import { ORIGINS, type ShownPage } from '../model/shown-page.ts';
import { DEFAULT_SCORE_KEY } from '../model/signal-key.ts';
import { decodeHead } from '../seen/head.ts';
import { viewerHash } from '../seen/seen-store.ts';
import type { State } from '../state/state.ts';
import type { Store } from '../store/store.ts';

/** Logged values have 8 bits. */
const VALUE_DIGITS = 4;

/** The acts of a viewer that stand, by item. */
type Acts = ReadonlyMap<number, { event_type: number; time: number }[]>;
const NO_ACTS: Acts = new Map();

/** Shown pages for people who train models elsewhere: as they were logged, with what the viewer did then. */
export class ShownLines {
  /** All viewers of logged pages. Their users, as far as they are known. */
  private readonly users = new Map<string, number>();

  /** @param nameOf the name of a signal by its key */
  constructor(
    private readonly store: Store,
    private readonly state: State,
    private readonly nameOf: (key: number) => string,
  ) {}

  /** Notes a stored change. */
  note(change: Change): void {
    if (change.kind === SHOWN.kind && change.viewer !== '') this.users.set(change.viewer, NONE);
  }

  /**
   * Pages of the snapshot, by viewer and then in the order in which they were logged. Left out are those of erased
   * viewers, of viewers who want no personalised pages any more, and items that were deleted or are no longer kept.
   */
  async *lines(): AsyncGenerator<object> {
    const { store, state } = this;
    const key = await store.seenKey();
    for (let user = 0; user < state.users.size; user++) {
      const viewer = viewerHash(key, state.users.names.id(user));
      if (this.users.has(viewer)) this.users.set(viewer, user);
    }
    let former = { viewer: '', acts: NO_ACTS };
    // Pages of erased viewers are the first of all.
    for (let place = { viewer: '', seq: Number.MAX_SAFE_INTEGER }; ; ) {
      const pages = await store.readShown(place, 'all');
      if (pages.length === 0) return;
      const erased = await this.erasedAt(pages);
      for (const { viewer, seq, page, halvings } of pages) {
        place = { viewer, seq };
        const user = this.users.get(viewer) ?? NONE;
        const is_current = seq <= state.seq && seq > (erased.get(viewer) ?? 0);
        if (!is_current || !state.preferences.isPersonalised(user)) continue;
        if (former.viewer !== viewer) former = { viewer, acts: this.actsOf(user) };
        const items = this.itemsOf(page, former.acts);
        if (items.length > 0) yield { ...this.head(viewer, halvings, page), items };
      }
    }
  }

  private head(viewer: string, halvings: number, page: ShownPage): object {
    const { time: timestamp, feed, feed_type, explored, learning } = page;
    return {
      ...{ viewer, timestamp, feed_type, feed_id: feed === 0 ? undefined : `feed_${feed}` },
      ...{ weight: 2 ** halvings, explored, learning },
      signals: [...page.signals].map(this.nameOf),
    };
  }

  private itemsOf(page: ShownPage, acts: Acts): object[] {
    const { names } = this.state.items;
    const { time, items, slots, origins, signals, signal_values } = page;
    return [...items].flatMap((key, at) => {
      const item = names.ordinal(key);
      if (item === NONE || !this.state.items.described(item)) return [];
      const values = Array.from(signals, (signal, index) => {
        const byte = signal_values[at * signals.length + index];
        const value = signal === DEFAULT_SCORE_KEY ? scoreOf(byte) : signalOf(byte);
        return Number(value.toPrecision(VALUE_DIGITS));
      });
      const done = (acts.get(item) ?? []).map((act) => ({
        event_type: this.state.vocabulary.names[act.event_type],
        after_seconds: Math.round(1000 * (act.time - time)) / 1000,
      }));
      const soon = done.filter(({ after_seconds }) => after_seconds >= 0 && after_seconds < DAY_SECONDS);
      return [{ item_id: names.id(item), slot: slots[at], origin: ORIGINS[origins[at]], values, acts: soon }];
    });
  }

  /** O(the user's acts). */
  private actsOf(user: number): Acts {
    if (user === NONE) return NO_ACTS;
    const { by_user } = this.state.interactions;
    const positions = Array.from({ length: by_user.length(user) }, (_, at) => by_user.start(user) + at);
    const acts = positions.filter((at) => !by_user.removed(at));
    return Map.groupBy(
      acts.map((at) => ({
        item: by_user.other(at),
        event_type: by_user.event_type(at),
        time: by_user.timestamp(at),
      })),
      ({ item }) => item,
    );
  }

  /** For viewers of pages, the last change before they were erased. */
  private async erasedAt(pages: readonly ShownChange[]): Promise<Map<string, number>> {
    const viewers = [...new Set(pages.map(({ viewer }) => viewer))];
    const rows = await this.store.seen.read(viewers.map((viewer) => ({ viewer, number: 0 })));
    return new Map(
      rows.map(({ viewer, content }) => [viewer, content === undefined ? 0 : decodeHead(content).erased_seq]),
    );
  }
}
