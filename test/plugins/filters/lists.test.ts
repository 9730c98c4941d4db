import { testFilter } from 'feedloom/plugin/testing';
import { builtIn } from '../built-in.ts';

/** What all filters with a list have in common. Error texts name the entry and what is allowed. */

const a = (length: number) => 'a'.repeat(length);
const AUTHOR = 'must be an author id: a text of 1 to 256 characters, or an integer';

/** The filter, the most entries, a sound entry, and wrong ones with what the error says of them. */
const LISTS: [string, number, unknown, ...(readonly [wrong: unknown, message: string])[]][] = [
  [
    'author_ids',
    100_000,
    'ann',
    [a(257), AUTHOR],
    ['', AUTHOR],
    [2 ** 53, 'has lost digits; send ids beyond 2^53-1 as text'],
  ],
  ['remove_author_ids', 100_000, 'ann', [1.5, AUTHOR]],
  ['channels', 10_000, 'bikes', [a(2049), 'must be a channel URL of 1 to 2,048 characters']],
  [
    'app_fids',
    10_000,
    7,
    [a(257), 'must be an app identifier of 1 to 256 characters, or an integer up to 2^53-1'],
  ],
  ['publication_types', 10_000, 'image', [a(65), 'must be a publication type of 1 to 64 characters']],
  [
    'embed_domains',
    10_000,
    'example.com',
    [`${a(254)}.org`, 'is not a domain (example.com) of at most 253 characters'],
  ],
  ['languages', 10_000, 'en', [a(999), `'${a(64)}' is not a language tag such as en or pt-BR`]],
  ['geo_locations', 1_000, '10,10'],
  ['remove_geo_locations', 1_000, '10,10'],
  [
    'ai_labels',
    1_000,
    'music',
    [a(65), 'must be a label of 1 to 64 characters, or {"label":"…","threshold":0..1}'],
  ],
  ['remove_ai_labels', 1_000, { label: 'music' }],
  ['labeled', 1_000, 'mod/spam', ['spam', 'must be "<labeler>/<value>", or "*/<value>" for any labeler']],
  ['remove_labeled', 1_000, '*/spam'],
];

/** An item that each filter could find, and one without any of their columns. */
const items = {
  described: {
    ...{ author_id: 'ann', channel: 'bikes', app_fid: '7', language: 'en', geo_location: '10,10' },
    ...{ publication_types: ['image'], embed_domains: ['example.com'], ai_labels: { music: 0.9 } },
  },
  bare: {},
};

const records = [
  { kind: 'label', record: { labeler_id: 'mod', item_id: 'described', value: 'spam' } } as const,
];

for (const [filter, most, sound, ...wrong] of LISTS) {
  testFilter(builtIn, filter, {
    items,
    records,
    cases: [
      { name: 'keeps every item if the list is empty', options: [], expect: ['described', 'bare'] },
      {
        name: 'takes a list of the greatest length',
        options: Array(most).fill(sound),
        expect: filter.startsWith('remove_') ? ['bare'] : ['described'],
      },
      {
        name: 'says how many entries are allowed',
        options: Array(most + 1).fill(sound),
        expect: { error: `/filters/${filter}: must be ` },
      },
      {
        name: 'says what the list may be',
        options: Array(most + 1).fill(sound),
        expect: { error: `a list of at most ${most.toLocaleString('en')} ` },
      },
      ...wrong.flatMap(([entry, message]) =>
        [`/filters/${filter}/1: `, message].map((error) => ({
          name: `names the entry that is wrong, and what is allowed: ${message}`,
          options: [sound, entry],
          expect: { error },
        })),
      ),
    ],
    refuses: [...['x', 1, true, {}], ...['', null, ['x'], {}, 1.5, Number.NaN].map((entry) => [entry])],
  });
}
