import { testFilter } from 'feedloom/plugin/testing';
import { builtIn, type Row, sentences } from '../built-in.ts';

/** Filters on what an item says of itself. What all lists refuse is in lists.test.ts. */

testFilter(builtIn, 'ai_labels', {
  items: {
    surely: { ai_labels: { music: 0.9, gaming: 0.1 } },
    just: { ai_labels: { music: 0.6001 } },
    'at the threshold': { ai_labels: { music: 0.6, gaming: 1 } },
    hardly: { ai_labels: { music: 0 } },
    untagged: {},
  },
  cases: sentences({
    "keeps items with a score strictly above the service's threshold": [
      [['music'], ['surely', 'just']],
      [[{ label: 'music' }], ['surely', 'just']],
      [['Music'], []],
    ],
    "keeps items with a score strictly above the label's own threshold": [
      [[{ label: 'music', threshold: 0 }], ['surely', 'just', 'at the threshold']],
      [[{ label: 'music', threshold: 0.6 }], ['surely', 'just']],
      [[{ label: 'music', threshold: 0.9 }], []],
      [[{ label: 'music', threshold: 1 }], []],
    ],
    'keeps items that match at least one label': [
      [
        ['gaming', { label: 'music', threshold: 0.8 }, 'unheard of'],
        ['surely', 'at the threshold'],
      ],
      [['unheard of'], []],
    ],
  }),
  refuses: [
    ...[{ label: '' }, { threshold: 0.5 }, { label: 'music', minimum: 0.5 }].map((label) => [label]),
    ...[-0.1, 1.1, Number.NaN, Infinity, '0.5', null].map((threshold) => [{ label: 'music', threshold }]),
  ],
});

testFilter(builtIn, 'remove_ai_labels', {
  items: {
    spam: { ai_labels: { spam: 0.61 } },
    'at the threshold': { ai_labels: { spam: 0.6, hate: 0.2 } },
    untagged: {},
  },
  cases: sentences({
    'drops items with a score strictly above the threshold and keeps untagged items': [
      [['spam'], ['at the threshold', 'untagged']],
      [[{ label: 'spam', threshold: 0.5 }], ['untagged']],
      [['spam', { label: 'hate', threshold: 0.1 }], ['untagged']],
      [[{ label: 'spam', threshold: 1 }], ['spam', 'at the threshold', 'untagged']],
    ],
    'drops nothing for unknown labels': [[['unheard of'], ['spam', 'at the threshold', 'untagged']]],
  }),
  refuses: [[{ label: 'spam', threshold: 2 }], [{ label: 1 }]],
});

testFilter(builtIn, 'app_fids', {
  items: {
    'from 9152': { app_fid: '9152' },
    'from warp': { app_fid: 'warp' },
    'from nowhere': {},
  },
  cases: sentences({
    'keeps items of the listed apps, given as text or integers': [
      [[9152], ['from 9152']],
      [
        ['9152', 'warp', 'other'],
        ['from 9152', 'from warp'],
      ],
      [['other'], []],
    ],
  }),
  refuses: [[2 ** 53], ['a'.repeat(257)]],
});

const channel = (name: string) => `https://example.community/channel/${name}`;
const moved = [
  { kind: 'item', record: { item_id: 'music', channel: channel('tea') } },
  { kind: 'item_deletion', record: { item_id: 'chess' } },
] as const;

testFilter(builtIn, 'channels', {
  items: {
    music: { channel: channel('music') },
    Music: { channel: channel('Music') },
    chess: { channel: channel('chess') },
    none: {},
  },
  cases: sentences({
    'keeps items of the listed channels, compared exactly': [
      [[channel('music')], ['music']],
      [['music', 'chess', 'chess'].map(channel), ['music', 'chess']],
      [[channel('MUSIC')], []],
      [[channel('unknown')], []],
    ],
    'keeps nothing for a channel whose last item was deleted, and an item under its new channel only': [
      [[channel('chess')], [], { records: moved }],
      [[channel('music')], [], { records: moved }],
      [[channel('tea')], ['music'], { records: moved }],
    ],
  }),
  refuses: [[1], ['a'.repeat(2049)]],
});

testFilter(builtIn, 'embed_domains', {
  items: {
    site: { embed_domains: ['example.com'] },
    blog: { embed_domains: ['blog.example.com', 'other.org'] },
    lookalike: { embed_domains: ['notexample.com', 'example.com.evil.net'] },
    none: {},
  },
  cases: sentences({
    'keeps the items with embeds of a domain or its subdomains': [
      [['example.com'], ['site', 'blog']],
      [['blog.example.com'], ['blog']],
      [['com'], ['site', 'blog', 'lookalike']],
      [['www.example.com'], []],
      [
        ['other.org', 'evil.net'],
        ['blog', 'lookalike'],
      ],
    ],
    'treats a full URL as its host, in any case': [
      [['https://EXAMPLE.com/page?x=1'], ['site', 'blog']],
      [['http://example.com:8080'], ['site', 'blog']],
      [['Example.COM'], ['site', 'blog']],
      [['.example.com'], ['site', 'blog']],
    ],
  }),
  refuses: [[' '], ['a b'], ['ftp://example.com'], [1], ['a/b'], ['*.example.com']],
});

/** Codes of the same language. */
const SAME = [
  ['he', 'iw'],
  ['id', 'in', 'ms'],
  ['yi', 'ji'],
  ['fil', 'tl'],
  ['no', 'nb', 'nn-NO'],
  ['zh', 'yue', 'cmn-Hans'],
];
const speaking = (codes: readonly string[]) => ({
  items: Object.fromEntries(codes.map((language) => [language, { language }])),
});
const SLAVIC = speaking(['sh', 'sr-latn', 'hr', 'bs', 'sl']);

testFilter(builtIn, 'languages', {
  items: {
    en: { language: 'en' },
    'en-gb': { language: 'en-gb' },
    'pt-br': { language: 'pt-br' },
    enm: { language: 'enm' },
    unknown: {},
  },
  cases: sentences({
    'keeps the items in any of the languages, by primary subtag and in any case': [
      [['en'], ['en', 'en-gb']],
      [['EN-US'], ['en', 'en-gb']],
      [
        ['pt', 'enm'],
        ['pt-br', 'enm'],
      ],
      [['de'], []],
    ],
    'treats codes of the same language as equal, in items and filters': SAME.flatMap((alike) =>
      alike.map((code): Row<string[]> => [[code], alike, speaking(SAME.flat())]),
    ),
    'matches sh with Serbian, Croatian and Bosnian, which do not match each other': [
      [['sh'], ['sh', 'sr-latn', 'hr', 'bs'], SLAVIC],
      [['hr'], ['hr'], SLAVIC],
    ],
  }),
  refuses: [['e'], ['english'], ['en_GB'], ['en-'], [1]],
});

testFilter(builtIn, 'publication_types', {
  items: {
    image: { publication_types: ['image'] },
    both: { publication_types: ['video', 'image'] },
    music: { publication_types: ['music'] },
    none: {},
  },
  cases: sentences({
    'keeps the items that have any of the types, in singular or plural and in any case': [
      [['image'], ['image', 'both']],
      [['Images'], ['image', 'both']],
      [
        ['videos', 'music'],
        ['both', 'music'],
      ],
      [['poll'], []],
    ],
  }),
  refuses: [[1], ['a'.repeat(65)]],
});
