import type { CompiledFeed } from '../../src/feeds/compiled-feed.ts';
import type { Engine } from '../../src/page/engine.ts';
import { isLasting } from '../../src/page/filter-pools.ts';
import { buildList, type ListOptions } from '../../src/page/pipeline.ts';
import type { Ordinal } from '../../src/plugin/index.ts';
import type { SeenRow } from '../../src/seen/seen-row.ts';
import { NOW, requestOn, Scene } from '../support/scene.ts';

export function pageOf(
  feed: CompiledFeed,
  engine: Engine,
  viewer: string,
  now: number,
  page_length: number,
  { seen, ...options }: ListOptions & { seen?: SeenRow } = {},
) {
  try {
    return buildList(feed, requestOn(engine, { viewer, now, page_length, seen }), options);
  } finally {
    engine.scratch.takeBack();
    engine.pools.takeBack();
  }
}

/** The items with content that a feed's pool contains. Undefined without a pool. */
export function heldFor(feed: CompiledFeed, engine: Engine): Ordinal[] | undefined {
  const { items } = engine.state;
  return engine.pools
    .of(feed, engine)
    ?.items()
    .filter((item) => items.described(item));
}

/** The items that the filters with `depends_on` keep, tested one by one. */
export function keptBy(feed: CompiledFeed, engine: Engine): Ordinal[] {
  const { items } = engine.state;
  const request = requestOn(engine);
  const tests = feed.filters.filter(isLasting).map((filter) => filter.bind(request));
  return Array.from({ length: items.size }, (_, item) => item).filter(
    (item) => items.described(item) && tests.every((keeps) => keeps(item)),
  );
}

export function buildAll({ pools }: Engine): void {
  while (pools.buildStep());
}

/** Requests the pool until it exists. */
export function pooled(feed: CompiledFeed, engine: Engine): void {
  for (let times = 0; times < 2; times++) engine.pools.of(feed, engine);
  buildAll(engine);
}

/** 3,000 items, the newest of which have few likes. The viewer has a history. */
export function scene(): Scene {
  const built = new Scene();
  for (let index = 0; index < 3000; index++) {
    const channel = index % 2 === 0 ? 'even' : 'odd';
    built.item(`i${index}`, { author: `a${index % 50}`, channel, created_at: NOW - index });
    built.count(`i${index}`, Math.floor(index / 100));
  }
  for (let index = 0; index < 200; index++) built.act(`u${index % 20}`, 'like', `i${(index * 7) % 3000}`);
  for (let index = 0; index < 20; index++) built.act('viewer', 'like', `i${(index * 77) % 3000}`);
  return built;
}
