import { expect, test } from 'bun:test';
import { kept, testFilter } from '../../support/extensions.ts';
import { Scene } from '../../support/scene.ts';

/** Filters on what an item says of itself. What all lists refuse is in lists.test.ts. */

testFilter(
  'ai_labels',
  new Scene()
    .item('surely', { ai_labels: { music: 0.9, gaming: 0.1 } })
    .item('just', { ai_labels: { music: 0.6001 } })
    .item('at the threshold', { ai_labels: { music: 0.6, gaming: 1 } })
    .item('hardly', { ai_labels: { music: 0 } })
    .item('untagged'),
  {
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
  },
  [
    ...[{ label: '' }, { threshold: 0.5 }, { label: 'music', minimum: 0.5 }].map((label) => [label]),
    ...[-0.1, 1.1, Number.NaN, Infinity, '0.5', null].map((threshold) => [{ label: 'music', threshold }]),
  ],
);

testFilter(
  'remove_ai_labels',
  new Scene()
    .item('spam', { ai_labels: { spam: 0.61 } })
    .item('at the threshold', { ai_labels: { spam: 0.6, hate: 0.2 } })
    .item('untagged'),
  {
    'drops items with a score strictly above the threshold and keeps untagged items': [
      [['spam'], ['at the threshold', 'untagged']],
      [[{ label: 'spam', threshold: 0.5 }], ['untagged']],
      [['spam', { label: 'hate', threshold: 0.1 }], ['untagged']],
      [[{ label: 'spam', threshold: 1 }], 3],
    ],
    'drops nothing for unknown labels': [[['unheard of'], 3]],
  },
  [[{ label: 'spam', threshold: 2 }], [{ label: 1 }]],
);

testFilter(
  'app_fids',
  new Scene()
    .item('from 9152', { app_fid: '9152' })
    .item('from warp', { app_fid: 'warp' })
    .item('from nowhere'),
  {
    'keeps items of the listed apps, given as text or integers': [
      [[9152], ['from 9152']],
      [
        ['9152', 'warp', 'other'],
        ['from 9152', 'from warp'],
      ],
      [['other'], []],
    ],
  },
  [[2 ** 53], ['a'.repeat(257)]],
);

const channel = (name: string) => `https://example.community/channel/${name}`;
testFilter(
  'channels',
  new Scene()
    .item('music', { channel: channel('music') })
    .item('Music', { channel: channel('Music') })
    .item('chess', { channel: channel('chess') })
    .item('none'),
  {
    'keeps items of the listed channels, compared exactly': [
      [[channel('music')], ['music']],
      [['music', 'chess', 'chess'].map(channel), ['music', 'chess']],
      [[channel('MUSIC')], []],
      [[channel('unknown')], []],
    ],
  },
  [[1], ['a'.repeat(2049)]],
);

test('channels keeps nothing for a channel whose last item was deleted, and an item under its new channel only', () => {
  const moved = new Scene().item('a', { channel: 'x' }).item('b', { channel: 'z' });
  moved.item('a', { channel: 'y' }).delete('b');
  expect(['x', 'y', 'z'].map((name) => kept(moved, 'channels', [name]))).toEqual([[], ['a'], []]);
});

testFilter(
  'embed_domains',
  new Scene()
    .item('site', { embed_domains: ['example.com'] })
    .item('blog', { embed_domains: ['blog.example.com', 'other.org'] })
    .item('lookalike', { embed_domains: ['notexample.com', 'example.com.evil.net'] })
    .item('none'),
  {
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
  },
  [[' '], ['a b'], ['ftp://example.com'], [1], ['a/b'], ['*.example.com']],
);

testFilter(
  'languages',
  new Scene()
    .item('en', { language: 'en' })
    .item('en-gb', { language: 'en-gb' })
    .item('pt-br', { language: 'pt-br' })
    .item('enm', { language: 'enm' })
    .item('unknown'),
  {
    'keeps the items in any of the languages, by primary subtag and in any case': [
      [['en'], ['en', 'en-gb']],
      [['EN-US'], ['en', 'en-gb']],
      [
        ['pt', 'enm'],
        ['pt-br', 'enm'],
      ],
      [['de'], []],
    ],
  },
  [['e'], ['english'], ['en_GB'], ['en-'], [1]],
);

const SAME = [
  ['he', 'iw'],
  ['id', 'in', 'ms'],
  ['yi', 'ji'],
  ['fil', 'tl'],
  ['no', 'nb', 'nn-NO'],
  ['zh', 'yue', 'cmn-Hans'],
];
test.each(SAME.map((alike) => [alike]))('languages treats %j as equal, in items and filters', (alike) => {
  const all = new Scene();
  for (const language of SAME.flat()) all.item(language, { language: language.toLowerCase() });
  for (const asked of alike) expect(kept(all, 'languages', [asked])).toEqual(alike);
});

test('languages matches sh with Serbian, Croatian and Bosnian, which do not match each other', () => {
  const all = new Scene();
  for (const language of ['sh', 'sr-latn', 'hr', 'bs', 'sl']) all.item(language, { language });
  expect(kept(all, 'languages', ['sh'])).toEqual(['sh', 'sr-latn', 'hr', 'bs']);
  expect(kept(all, 'languages', ['hr'])).toEqual(['hr']);
});

testFilter(
  'publication_types',
  new Scene()
    .item('image', { publication_types: ['image'] })
    .item('both', { publication_types: ['video', 'image'] })
    .item('music', { publication_types: ['music'] })
    .item('none'),
  {
    'keeps the items that have any of the types, in singular or plural and in any case': [
      [['image'], ['image', 'both']],
      [['Images'], ['image', 'both']],
      [
        ['videos', 'music'],
        ['both', 'music'],
      ],
      [['poll'], []],
    ],
  },
  [[1], ['a'.repeat(65)]],
);
