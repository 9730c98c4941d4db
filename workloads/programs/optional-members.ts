/**
 * Measures how much time the optional members of extensions save: the CPU time of a page with an extension that lacks
 * the member, divided by that with the member. Pages of both are measured alternately. The table of docs/plugins.md has
 * these figures. Run: `bun workloads/programs/optional-members.ts`.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock, seededRandom } from '../../src/clock.ts';
import type { Service } from '../../src/service.ts';
import { openTestService, type TestService } from '../../test/support/service.ts';
import { createCommunity } from '../community/community.ts';

const NOW = 1_767_225_600;
const BODY_RECORDS = 5_000;
const USERS = 5_000;
const ITEMS = 50_000;
const WARM_UP_ROUNDS = 3;
const ROUNDS = 15;
const PAGES_PER_ROUND = 40;

const PLUGIN = `
  import {
    defineFilter, definePlugin, defineScoringFunction, defineVisibilityRule, Type,
  } from 'feedloom/plugin';

  const none = { summary: 'x', options: Type.Object({}, { additionalProperties: false, default: {} }) };

  /** One item of a thousand. */
  const few = { ...none, kind: 'inclusion', compile: () => (request) => (item) => request.item.created_at(item) % 1000 < 1 };
  const author = {
    ...none,
    kind: 'inclusion',
    options: Type.String(),
    compile: (id) => (request) => {
      const author = request.user.find(id);
      return (item) => request.item.author(item) === author;
    },
  };
  const picked = (request) => new Set(globalThis.picked_items.map((id) => request.item.find(id)));
  const list = {
    ...none,
    compile: () => (request) => {
      const items = picked(request);
      return (item) => items.has(item);
    },
  };
  /** Fewer points for texts in capitals. */
  const calm = {
    ...none,
    reads: ['item.text'],
    signals: () => ['popular'],
    compile: () => (request) => {
      const popular = request.signal('popular');
      return (item) => {
        const text = request.item.field(item, 'text');
        const capitals = text.match(/\\p{Lu}/gu)?.length ?? 0;
        return popular(item) * (1 - 0.5 * (capitals / (text.length + 1)));
      };
    },
  };
  const popular = { ...none, signals: () => ['popular'], compile: () => (request) => request.signal('popular') };
  const interest = { ...none, compile: () => (request) => request.signal('interest_all') };

  export default definePlugin({
    meta: { name: 'm', version: '1.0.0', api: 2 },
    filters: {
      'm/few': defineFilter(few),
      'm/few-with': defineFilter({ ...few, depends_on: 'content' }),
      'm/author': defineFilter(author),
      'm/author-with': defineFilter({
        ...author,
        postings: (id) => (request) => ({ column: 'author', values: [request.user.find(id)] }),
      }),
    },
    visibility_rules: {
      'm/list_v1.0.0': defineVisibilityRule(list),
      'm/list-with_v1.0.0': defineVisibilityRule({
        ...list,
        allows: () => picked,
      }),
    },
    scoring_functions: {
      'm/calm_v1.0.0': defineScoringFunction(calm),
      'm/calm-with_v1.0.0': defineScoringFunction({ ...calm, ceiling: () => (request) => request.signal('popular') }),
      'm/popular_v1.0.0': defineScoringFunction(popular),
      'm/popular-with_v1.0.0': defineScoringFunction({ ...popular, ranked_by: 'popular' }),
      'm/interest_v1.0.0': defineScoringFunction(interest),
      'm/interest-with_v1.0.0': defineScoringFunction({ ...interest, signals: () => ['interest_all'] }),
      'm/limit_v1.0.0': defineScoringFunction(calm),
      'm/limit-with_v1.0.0': defineScoringFunction({ ...calm, candidate_limit: 100 }),
    },
  });
`;

declare global {
  var picked_items: string[];
}

interface Compared {
  member: string;
  feed: 'for-you' | 'popular';
  /** @param id makes the id of the extension with or without the member */
  body(id: (name: string) => string): Record<string, unknown>;
}

const versioned = (id: (name: string) => string, name: string) => `${id(name)}_v1.0.0`;

const comparedIn = (author: string): readonly Compared[] => [
  {
    member: "depends_on: 'content', of a filter that keeps one item of a thousand",
    feed: 'popular',
    body: (id) => ({ filters: { [id('few')]: {} } }),
  },
  {
    member: 'postings, of a filter on an author',
    feed: 'popular',
    body: (id) => ({ filters: { [id('author')]: author } }),
  },
  {
    member: 'allows, of a rule that allows 50 items',
    feed: 'popular',
    body: (id) => ({ visibility_rules: { [versioned(id, 'list')]: {} } }),
  },
  {
    member: 'ceiling, of a score that reads the text',
    feed: 'for-you',
    body: (id) => ({ scoring: versioned(id, 'calm') }),
  },
  {
    member: 'signals, of a score that uses one',
    feed: 'for-you',
    body: (id) => ({ scoring: versioned(id, 'interest') }),
  },
  {
    member: 'ranked_by, in a popular feed',
    feed: 'popular',
    body: (id) => ({ scoring: versioned(id, 'popular') }),
  },
  {
    member: 'candidate_limit: 100 instead of 500, of the same score',
    feed: 'for-you',
    body: (id) => ({ scoring: versioned(id, 'limit') }),
  },
];

/** @returns an author */
async function fill({ service }: TestService): Promise<string> {
  const sizes = { users: USERS, items: ITEMS, follows: 50_000, interactions: 200_000 };
  const community = createCommunity({ seed: 7, now: NOW, days: 30, text: true, ...sizes });
  for (const kind of ['users', 'items', 'follows', 'interactions'] as const) {
    const records: unknown[] = [...community[kind]()];
    for (let at = 0; at < records.length; at += BODY_RECORDS)
      await service.ingest.ingest(kind, records.slice(at, at + BODY_RECORDS));
  }
  const { items, users } = service.state;
  return users.names.id(items.author(0));
}

/** CPU time of pages without the member over that of pages with it: the median of rounds in which they take turns. */
async function ratioOf({ feeds, state }: Service, { feed, body }: Compared): Promise<number> {
  const ratios: number[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    const random = seededRandom(round);
    const viewers = Array.from({ length: PAGES_PER_ROUND }, () =>
      state.users.names.id(Math.floor(random() * USERS)),
    );
    const spent = [0, 0];
    for (const has of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const asked = body((name) => `m/${name}${has === 1 ? '-with' : ''}`);
      const start_ms = cpuMs();
      for (const user_id of viewers) await feeds.serve(feed, { ...asked, user_id, impression_count: 0 });
      spent[has] = cpuMs() - start_ms;
    }
    if (round >= WARM_UP_ROUNDS) ratios.push(spent[0] / spent[1]);
  }
  return ratios.toSorted((one, other) => one - other)[ROUNDS >> 1];
}

const cpuMs = () => process.cpuUsage().user / 1000;

const folder = mkdtempSync(join(tmpdir(), 'feedloom-optional-members-'));
const plugins = join(folder, 'm.ts');
writeFileSync(plugins, PLUGIN);
const opened = await openTestService({
  clock: new ManualClock(NOW),
  settings: { plugins, derived_lag_ms: 100 },
  // The clock does not run, so no page is refused as too costly.
  opening: { monotonicMs: () => 0 },
});
try {
  const author = await fill(opened);
  const { items } = opened.service.state;
  globalThis.picked_items = Array.from({ length: 50 }, (_, at) => items.names.id(at * 997));
  for (const compared of comparedIn(author)) {
    const ratio = await ratioOf(opened.service, compared);
    console.log(`${ratio.toFixed(1).padStart(7)}  ${compared.member}`);
  }
} finally {
  await opened.close();
  rmSync(folder, { recursive: true, force: true });
}
