import { TEST_NOW, type TestInteraction, type TestWorld, testVisibilityRule } from 'feedloom/plugin/testing';
import { acts, builtIn, DAY, sentences } from '../built-in.ts';

const OTHERS = ['other', 'by an unknown author'];

/** Items of one author, two others, and what the viewer did. */
function world(item_ids: readonly string[], ...interactions: TestInteraction[][]): TestWorld {
  const authored = Object.fromEntries(item_ids.map((id) => [id, { author_id: 'author' }]));
  const items = { ...authored, other: { author_id: 'other' }, 'by an unknown author': {} };
  return { items, interactions: interactions.flat() };
}

const hide = (item: string, timestamp = TEST_NOW) => acts('viewer', 'hide', item, { timestamp });
const report = (item: string) => acts('viewer', 'report', item);
const two = [hide('a'), report('b')];
const monthAgo = world(['a', 'b', 'c', 'd'], hide('a', TEST_NOW - 30 * DAY), hide('b'), hide('c'));
const once = world(['a', 'b'], hide('a', TEST_NOW - 2 * DAY));

testVisibilityRule(builtIn, 'hidden', {
  viewer: 'viewer',
  cases: sentences({
    'drops items that the viewer hid or reported, until that is undone': [
      [{}, OTHERS, world(['a', 'b'], ...two)],
      [{}, ['a', ...OTHERS], world(['a', 'b'], ...two, acts('viewer', 'hide', 'a', { action: 'remove' }))],
    ],
    'drops all items of an author after three of them were hidden or reported': [
      [{}, ['c', 'd', ...OTHERS], world(['a', 'b', 'c', 'd'], ...two)],
      [{}, OTHERS, world(['a', 'b', 'c', 'd'], ...two, hide('c'))],
      [
        {},
        ['a', 'b', 'c', 'd', ...OTHERS],
        { ...world(['a', 'b', 'c', 'd'], ...two, hide('c')), viewer: 'somebody else' },
      ],
    ],
    'counts an item that was both hidden and reported once': [
      [{}, ['c', ...OTHERS], world(['a', 'b', 'c'], hide('a'), report('a'), hide('b'))],
    ],
    'shows the author again after 30 days, but not the hidden items': [
      [{}, OTHERS, monthAgo],
      [{}, ['d', ...OTHERS], { ...monthAgo, now: TEST_NOW + 0.001 }],
    ],
    'counts an item that was hidden at the epoch': [
      [{ author_items: 1, author_days: 100_000 }, OTHERS, world(['a', 'b'], hide('a', 0))],
    ],
    'does not treat items of unknown authors as items of one author': [
      [
        {},
        ['d'],
        {
          items: { a: {}, b: {}, c: {}, d: {} },
          interactions: ['a', 'b', 'c'].flatMap((item) => hide(item)),
        },
      ],
    ],
    'accepts other numbers in its options': [
      [{ author_items: 1 }, OTHERS, once],
      [{ author_items: 1, author_days: 1 }, ['b', ...OTHERS], once],
    ],
  }),
});
