import { BUILT_IN } from '../../plugins/index.ts';
import { monotonicMs } from '../clock.ts';
import { createEngine } from '../feed/create-engine.ts';
import type { TextOrder } from '../feed/elsewhere.ts';
import { FeedMeter } from '../feed/feed-meter.ts';
import { JsonText } from '../feed/json-bytes.ts';
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
import { type Batch, type BatchReply, type Beginning, NOT_BUILT } from './messages.ts';
import { ReadersLock } from './readers-lock.ts';

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
 * that keeps it. What it derives from it is its own, but for the neighbour lists. Each page is one reading of the state: what
 * changes does so between two.
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
  private readonly lock: ReadersLock;
  private readonly reader: number;

  /** @throws Error when the state is of another make */
  constructor({ settings, rankings, memory, lock, reader }: Beginning) {
    this.lock = new ReadersLock(lock);
    this.reader = reader;
    const { state } = this;
    const registry = new Registry();
    registry.addBuiltIn(BUILT_IN);
    this.engine = createEngine(state, registry, settings, (item) => this.missed.add(item));
    this.mirror = new Mirror(sharedOf(this.engine), memory);
    const clock = { now: () => this.now };
    this.saved_feeds = new SavedFeeds(registry, NO_STORE, clock);
    for (const signal of rankings) this.engine.rankings.expect(rankedBy(this.engine, signal));
    const { saved_feeds } = this;
    const options = { ...settings, saved_feeds, clock, effort: () => this.effort };
    // Nobody's plugins but our own are here, and those are not timed.
    const timing = new PluginTiming(registry, monotonicMs, { info() {}, warn() {}, error() {} });
    this.builder = new PageBuilder(this.engine, options, this.meter, timing, () => {});
  }

  do({ places, news, now, effort, pages, work_ms }: Batch): BatchReply {
    this.now = now;
    this.effort = effort;
    this.mirror.place(places);
    for (const each of news) this.saved_feeds.follow(each);
    const reply = new Reply();
    const orders: TextOrder[] = JSON.parse(pages);
    for (const order of orders) if (!this.reading(() => this.build(order, reply))) break;
    const more = this.workAhead(work_ms);
    const missed = [...this.missed];
    this.missed.clear();
    return { ...reply.taken(), missed, meter: this.meter.take(), more };
  }

  /** Does something with the state as it is now. @returns false: not done, as it lies elsewhere by now */
  private reading(run: () => void): boolean {
    const { lock, reader, mirror } = this;
    lock.enter(reader);
    try {
      if (!mirror.is_placed) return false;
      if (mirror.catchUp()) this.followState();
      run();
      return true;
    } finally {
      lock.leave(reader);
    }
  }

  private followState(): void {
    const { state, engine } = this;
    state.users.names.catchUp();
    state.items.names.catchUp();
    for (const group of Object.values(state.groups)) group.catchUp();
    if (this.rounds !== state.recycler.completed) state.recycler.letGo();
    this.rounds = state.recycler.completed;
    engine.rankings.keepUp(this.now);
    this.builder.keepUp();
  }

  /** Whatever fails here fails where it is told of, too. */
  private build({ feed_type, request, viewer_id, warnings }: TextOrder, reply: Reply): void {
    try {
      const built = this.builder.buildText(feed_type, request, viewer_id, warnings);
      if (!(built.answer instanceof JsonText)) reply.addNone();
      else reply.add(built.answer, this.state.items.names.keysOf(seenOf(built, request)));
    } catch {
      reply.addNone();
    }
  }

  /** @returns whether there is more to be done */
  private workAhead(work_ms: number): boolean {
    const { rankings, pools } = this.engine;
    const end_ms = monotonicMs() + work_ms;
    let worked = true;
    const step = () => {
      worked = rankings.buildStep(this.now) || rankings.renew(this.now) || pools.buildStep();
    };
    while (worked && monotonicMs() < end_ms && this.reading(step));
    return worked;
  }
}

/** What becomes of the pages of a batch. */
class Reply {
  private readonly texts: JsonText[] = [];
  private readonly seen: Uint32Array[] = [];
  private readonly pages: number[] = [];

  add(text: JsonText, seen: Uint32Array): void {
    this.texts.push(text);
    this.seen.push(seen);
    this.pages.push(text.bytes.length, seen.length);
  }

  addNone(): void {
    this.pages.push(NOT_BUILT, 0);
  }

  taken(): Pick<BatchReply, 'text' | 'pages' | 'seen'> {
    const { texts, pages, seen } = this;
    const parts = texts.map(({ bytes }) => bytes);
    const text = joined(parts, new Uint8Array(lengthOf(parts)));
    for (const each of texts) each.release();
    return { text, pages: Int32Array.from(pages), seen: joined(seen, new Uint32Array(lengthOf(seen))) };
  }
}

/** What a page thread reads where the serving thread keeps it; the same objects in the same order on both sides. */
export function sharedOf({ state, walk }: Pick<Engine, 'state' | 'walk'>): object[] {
  return [state, ...walk.shared];
}

function lengthOf(parts: readonly { length: number }[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}

function joined<Whole extends Uint8Array | Uint32Array>(
  parts: readonly ArrayLike<number>[],
  whole: Whole,
): Whole {
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
