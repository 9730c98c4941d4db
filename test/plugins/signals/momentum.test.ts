import { TEST_NOW, testSignal } from 'feedloom/plugin/testing';
import { acts, builtIn, HOUR } from '../built-in.ts';

/** Items that are three hours old, with the given numbers of likes in the last hour. */
function liked(likes: Record<string, number>) {
  const created_at = TEST_NOW - 3 * HOUR;
  const users = Array.from({ length: 40 }, (_, index) => index);
  return {
    items: Object.fromEntries(Object.keys(likes).map((id) => [id, { created_at }])),
    interactions: Object.entries(likes).flatMap(([id, count]) => [
      ...acts(`first of ${id}`, 'like', id, { timestamp: created_at }),
      ...users
        .slice(0, count)
        .flatMap((index) => acts(`user ${index}`, 'like', id, { timestamp: TEST_NOW - index * 60 })),
    ]),
  };
}

/** Two items, one of which was liked for the first time a while ago. */
const begun = (ago: number) => ({
  items: { x: { created_at: TEST_NOW - ago }, y: { created_at: TEST_NOW - ago } },
  interactions: ['one', 'two', 'three'].flatMap((user) =>
    acts(user, 'like', 'x', { timestamp: TEST_NOW - ago }),
  ),
});

testSignal(builtIn, 'momentum', {
  cases: [
    ...[undefined, 'user 1'].map((viewer) => ({
      name: `is expected engagement divided by that of the fastest item, ${viewer ? 'for any' : 'without a'} viewer`,
      ...liked({ fast: 40, slower: 10, slow: 1 }),
      viewer,
      expect: { fast: 1, slower: 0.517239977, slow: 0.0145017337 },
    })),
    {
      name: 'compares with at least one engagement per hour',
      ...liked({ old: 0, older: 0 }),
      expect: { old: 0.311351351, older: 0.311351351 },
    },
    ...[
      { ago: 60, x: 1e-6, y: 2.5e-7 },
      { ago: 2 * HOUR - 1, x: 8.11733235e-7, y: 2.1869376e-7 },
      { ago: 2 * HOUR, x: 0.811683321, y: 0.218678815 },
    ].map(({ ago, ...expect }) => ({
      name: `is scaled to a millionth until engagement was observed for two hours: ${ago} s`,
      ...begun(ago),
      expect,
    })),
    {
      name: 'is scaled to a millionth while nothing was observed',
      items: { x: { created_at: TEST_NOW - 99 * HOUR } },
      expect: { x: 9.40531008e-9 },
    },
  ],
});
