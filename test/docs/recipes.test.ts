import { expect, test } from 'bun:test';
import type { AnswerItem } from '../../src/answer/item-fields.ts';
import { defaultAccount } from '../http/config-support.ts';
import { type Fields, openCommunity } from '../http/support.ts';
import { forFile, START } from '../support/service.ts';
import { blocksOf, document } from './markdown.ts';

/** The feeds of docs/recipes.md are saved and requested, and their pages have exactly what each recipe promises. */

const RECIPES = blocksOf(document('docs/recipes.md'))
  .filter(({ kind }) => kind === 'json NewFeed')
  .map(({ text }) => JSON.parse(text));

const DAY = 86_400;
const MUSIC = 'https://example.community/channel/music';
const FOLLOWED = ['author-0', 'author-1', 'author-2'];
const BERLIN = '52.4,13.1';
const PARIS = '48.86,2.35';
const LIKED = 4;
const HIDDEN = 5;

/** Items of a month, the newest first, with every combination of what the recipes filter by. */
const items = Array.from({ length: 240 }, (_, at) => ({
  item_id: `item-${at}`,
  author_id: `author-${at % 10}`,
  created_at: START - at * (DAY / 7) - 60,
  publication_types: at % 3 === 0 ? ['image'] : at % 3 === 1 ? ['article'] : [],
  ai_labels: {
    ...(at % 4 === 1 ? { question: 1 } : {}),
    ...(at % 5 === 2 ? { newcomer: 1 } : {}),
    ...(at % 7 < 2 ? { politics: at % 7 === 0 ? 0.9 : 0.4 } : {}),
  },
  channel: at % 2 === 0 ? MUSIC : 'https://example.community/channel/other',
  language: ['en-GB', 'de', 'fr'][(at >> 1) % 3],
  geo_location: at % 9 === 0 ? BERLIN : PARIS,
  app_fid: (at >> 2) % 2 === 0 ? '9152' : '1',
  comments_count: (at >> 1) % 3 === 0 ? 6 : 0,
  likes_count: at % 13,
  updated_at: START - 60,
  ...(at % 8 === 3 ? { parent_item_id: 'item-0' } : {}),
}));
type Item = (typeof items)[number];

const byId = new Map(items.map((item) => [item.item_id, item]));
const friend_liked = new Set(items.filter((_, at) => at % 17 === 6).map(({ item_id }) => item_id));
const within = (days: number) => (item: Item) => item.created_at >= START - days * DAY;
const isReply = (item: Item) => 'parent_item_id' in item;
const isFollowed = (item: Item) => FOLLOWED.includes(item.author_id);
const likes = ({ item_id, likes_count }: Item) =>
  likes_count + Number(friend_liked.has(item_id)) + Number(item_id === `item-${LIKED}`);

/** What each recipe shows, by its name. */
const CLAIMS: Record<string, (item: Item) => boolean> = {
  Latest: () => true,
  'Following, newest first': isFollowed,
  'For you': () => true,
  'Trending now': within(2),
  "This week's best": within(7),
  'Weekend digest': (item) => within(3)(item) && !isReply(item),
  'Photos only': ({ publication_types }) => publication_types.includes('image'),
  'Long reads': (item) => item.publication_types.includes('article') && within(30)(item),
  'Questions without an answer': (item) =>
    'question' in item.ai_labels && item.comments_count === 0 && !isReply(item),
  Discussions: (item) => within(7)(item) && item.comments_count >= 5 && !isReply(item),
  'No replies': (item) => !isReply(item),
  'One channel': ({ channel }) => channel === MUSIC,
  'Several languages': ({ language }) => language !== 'fr',
  Local: ({ geo_location }) => geo_location === BERLIN,
  'Verified apps only': ({ app_fid }) => app_fid === '9152',
  'Without a subject': ({ ai_labels }) => (ai_labels.politics ?? 0) <= 0.5,
  'What followed users like': ({ item_id }) => friend_liked.has(item_id),
  'Hidden gems': (item) => likes(item) <= 10,
  Newcomers: (item) => 'newcomer' in item.ai_labels && within(14)(item) && !isReply(item),
  'Two thirds following, one third discovery': (item) => isFollowed(item) || within(7)(item),
};

const community = await forFile(openCommunity());
await community.add('items', ...items);
for (const author of FOLLOWED) await community.follow('viewer', author);
for (const item_id of friend_liked) await community.act('author-1', 'like', item_id);
await community.act('viewer', 'like', `item-${LIKED}`);
await community.act('viewer', 'hide', `item-${HIDDEN}`);
const account = defaultAccount(community.server);

/** Settings that the last column of a table advises, such as `"time_decay": "low"`. */
function advisedIn(path: string): Fields[] {
  const remedies = [...document(path).text.matchAll(/^\|.*\| ([^|]+) \|$/gm)].map(([, cell]) => cell);
  const settings = remedies.flatMap((cell) => [...cell.matchAll(/`("\w+": [^`]+)`/g)]);
  return settings.map(([, setting]) => JSON.parse(`{${setting}}`));
}

/** The page of a saved feed. No warning may come. */
async function pageOf({ endpoint }: Fields, feed_id: string, request: Fields = {}): Promise<AnswerItem[]> {
  const feed_type = (endpoint as string).slice('feeds/'.length);
  const { status, body } = await community.ask(feed_type, { user_id: 'viewer', feed_id, ...request });
  expect({ status, warnings: body.warnings }).toEqual({ status: 200, warnings: undefined });
  return body.body;
}

test('the recipes are those that this test knows', () => {
  expect(RECIPES.map(({ name }) => name)).toEqual(Object.keys(CLAIMS));
  expect(RECIPES).toHaveLength(20);
});

for (const recipe of RECIPES) {
  const { name, config } = recipe;
  test(`a page of the recipe "${name}" shows what it promises`, async () => {
    const { max_posts_per_author } = config.feed_diversity_config ?? {};
    // Diversity limits the main list. A longer page would go on with the fallback.
    const top_k = config.top_k ?? (max_posts_per_author === undefined ? 500 : 10 * max_posts_per_author);
    const page = await pageOf(recipe, await account.add(recipe), { top_k });
    const shown = page.map(({ item_id }) => byId.get(item_id)!);
    const hides_liked = config.show_interacted_items !== true;
    const expected = items.filter(
      (item, at) => CLAIMS[name](item) && at !== HIDDEN && !(hides_liked && at === LIKED),
    );
    expect(expected.length).toBeGreaterThan(3);
    if (max_posts_per_author === undefined) {
      expect(shown.map(({ item_id }) => item_id).sort()).toEqual(
        expected.map(({ item_id }) => item_id).sort(),
      );
    } else {
      const counts = Map.groupBy(shown, ({ author_id }) => author_id);
      expect(shown.filter((item) => !expected.includes(item))).toEqual([]);
      for (const [author_id, of_author] of Map.groupBy(expected, ({ author_id }) => author_id))
        expect(counts.get(author_id)).toHaveLength(Math.min(max_posts_per_author, of_author.length));
    }
    if (config.scoring === 'newest_v0.0.1')
      expect(shown).toEqual(shown.toSorted((one, other) => other.created_at - one.created_at));
  });
}

test('the settings that other documents advise can be saved', async () => {
  const advised = ['docs/ranking.md', 'docs/troubleshooting.md'].flatMap(advisedIn);
  expect(advised.length).toBeGreaterThan(8);
  const parts: Record<string, string> = {
    author_ids: 'filters',
    repeat_author_decay: 'feed_diversity_config',
  };
  for (const setting of advised) {
    const part = parts[Object.keys(setting)[0]];
    const config = part === undefined ? setting : { [part]: setting };
    const { status, body } = await account.create({ name: 'Advised', endpoint: 'feeds/for-you', config });
    expect({ config, status, warnings: body.warnings }).toEqual({ config, status: 201, warnings: undefined });
  }
});

test('a third of the recipe with a promotion is posts of users who are not followed', async () => {
  const recipe = RECIPES.find(({ name }) => name.startsWith('Two thirds'));
  const feed_id = await account.add(recipe);
  let promoted = 0;
  for (let seed = 0; seed < 20; seed++) {
    const page = await pageOf(recipe, feed_id, { top_k: 15, seed });
    const discovered = page.filter(({ promotion_name }) => promotion_name === 'discovery');
    expect(
      page
        .filter((item) => !discovered.includes(item))
        .every(({ item_id }) => isFollowed(byId.get(item_id)!)),
    ).toBe(true);
    expect(discovered.some(({ item_id }) => isFollowed(byId.get(item_id)!))).toBe(false);
    promoted += discovered.length;
  }
  expect(promoted / (20 * 15)).toBeWithin(0.3, 0.5);
});
