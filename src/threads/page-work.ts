import { BUILT_IN } from '../../plugins/index.ts';
import { monotonicMs } from '../clock.ts';
import { createEngine } from '../feed/create-engine.ts';
import type { TextOrder } from '../feed/elsewhere.ts';
import { FeedMeter } from '../feed/feed-meter.ts';
import type { JsonText } from '../feed/json-bytes.ts';
import { PageBuilder, seenOf } from '../feed/page-builder.ts';
import { PluginTiming } from '../feed/plugin-timing.ts';
import { SavedFeeds } from '../feed/saved-feeds.ts';
import type { Engine } from '../pipeline/engine.ts';
import { rankedBy } from '../pipeline/request.ts';
import type { Effort, Ordinal } from '../plugin/index.ts';
import { Registry } from '../registry/registry.ts';
import { Mirror } from '../state/mirror.ts';
import { State } from '../state/state.ts';
import type { FeedStore } from '../store/feeds.ts';
import type { Batch, BatchReply, Beginning, BuiltPage } from './messages.ts';

const notHere = (): Promise<never> => Promise.reject(new Error('feeds are saved by the serving thread'));
const NO_STORE: FeedStore = {
  all: async () => [],
  create: notHere,
  replace: notHere,
  delete: notHere,
  restore: notHere,
};

/**
 * What a page thread does: builds pages as the serving thread does, by the built-in plugins, of a state that it reads where
 * that keeps it. What it derives from it is its own, but for the neighbour lists. It never waits for anything within a batch.
 */
export class PageWork {
  private readonly state = new State();
  private readonly engine: Engine;
  private readonly mirror: Mirror;
  private readonly saved_feeds: SavedFeeds;
  private readonly builder: PageBuilder;
  private readonly meter = new FeedMeter(monotonicMs);
  private readonly missed = new Set<Ordinal>();
  /** Rounds of the state's recycler that caches know of. */
  private rounds = 0;
  private now = 0;
  private effort: Effort = 1;

  private readonly change_waits: Int32Array;

  constructor({ settings, rankings, change_waits }: Beginning) {
    this.change_waits = change_waits;
    const { state } = this;
    const registry = new Registry();
    registry.addBuiltIn(BUILT_IN);
    this.engine = createEngine(state, registry, settings, (item) => this.missed.add(item));
    this.mirror = new Mirror(sharedOf(this.engine));
    const clock = { now: () => this.now };
    this.saved_feeds = new SavedFeeds(registry, NO_STORE, clock);
    for (const signal of rankings) this.engine.rankings.expect(rankedBy(this.engine, signal));
    const { saved_feeds } = this;
    const options = { ...settings, saved_feeds, clock, effort: () => this.effort };
    // Nobody's plugins but our own are here, and those are not timed.
    const timing = new PluginTiming(registry, monotonicMs, { info() {}, warn() {}, error() {} });
    this.builder = new PageBuilder(this.engine, options, this.meter, timing, () => {});
  }

  /** @throws Error when the state is of another make */
  do({ publication, news, now, effort, pages, work_ms }: Batch): BatchReply {
    this.now = now;
    this.effort = effort;
    this.catchUp(publication);
    for (const each of news) this.saved_feeds.follow(each);
    const texts: JsonText[] = [];
    const built: BatchReply['pages'] = [];
    for (const order of pages) {
      if (this.isAwaited) break;
      built.push(this.page(order, texts));
    }
    const more = this.workAhead(work_ms);
    const missed = [...this.missed];
    this.missed.clear();
    return { text: joined(texts), pages: built, missed, meter: this.meter.take(), more };
  }

  private get isAwaited(): boolean {
    return Atomics.load(this.change_waits, 0) !== 0;
  }

  private catchUp(publication: Batch['publication']): void {
    const { state, engine } = this;
    this.mirror.adopt(publication);
    state.users.names.catchUp();
    state.items.names.catchUp();
    for (const group of Object.values(state.groups)) group.catchUp();
    if (this.rounds !== state.recycler.completed) state.recycler.letGo();
    this.rounds = state.recycler.completed;
    engine.rankings.keepUp(this.now);
    this.builder.keepUp();
  }

  /** Whatever fails here fails where it is told of, too. */
  private page({ feed_type, request, viewer_id, warnings }: TextOrder, texts: JsonText[]): BuiltPage | null {
    try {
      const built = this.builder.buildText(feed_type, request, viewer_id, warnings);
      const { answer } = built;
      if (!(answer instanceof Uint8Array)) return null;
      texts.push(answer);
      return { length: answer.length, seen: seenOf(built, request) };
    } catch {
      return null;
    }
  }

  /** @returns whether there is more to be done */
  private workAhead(work_ms: number): boolean {
    const { rankings, pools } = this.engine;
    const end_ms = monotonicMs() + work_ms;
    let worked = true;
    while (worked && !this.isAwaited && monotonicMs() < end_ms)
      worked = rankings.buildStep(this.now) || rankings.renew(this.now) || pools.buildStep();
    return worked;
  }
}

/** What a page thread reads where the serving thread keeps it; the same objects in the same order on both sides. */
export function sharedOf({ state, walk }: Pick<Engine, 'state' | 'walk'>): object[] {
  return [state, ...walk.shared];
}

function joined(texts: readonly JsonText[]): JsonText {
  const whole = new Uint8Array(texts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const text of texts) {
    whole.set(text, at);
    at += text.length;
  }
  return whole;
}
