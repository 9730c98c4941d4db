import { describe, expect, test } from 'bun:test';
import { parseItem, parseUser } from '../../../src/model/records/index.ts';
import { accepted, pathsOf } from './support.ts';

describe('a part that an item cannot keep', () => {
  const many = (entry: (at: number) => unknown) => Array.from({ length: 1003 }, (_, at) => entry(at));
  const first = (entry: (at: number) => unknown) => many(entry).slice(0, 1000);
  const TOO_MANY = 'entries after the first 1,000 were dropped';

  test.each<[string, unknown, unknown, string[]]>([
    [
      'text',
      `${'x'.repeat(99_999)}🎉y`,
      `${'x'.repeat(99_999)}🎉`,
      [`characters after the first 100,000 were dropped; got "${'x'.repeat(40)}…"`],
    ],
    [
      'text',
      '🎉'.repeat(100_001),
      '🎉'.repeat(100_000),
      [`characters after the first 100,000 were dropped; got "${'🎉'.repeat(20)}…"`],
    ],
    [
      'embed_items',
      [
        `https://a.example/${'x'.repeat(4096)}`,
        'https://b.example/',
        `https://c.example/${'🎉'.repeat(4077)}!`,
      ],
      ['https://b.example/', `https://c.example/${'🎉'.repeat(4077)}!`],
      ['a link of more than 4,096 characters was dropped'],
    ],
    [
      'embed_items',
      ['ipfs://Qm12', 'javascript:alert(1)', 'a.example/x', '', 'HTTP://b.example'],
      ['HTTP://b.example'],
      ['a link that is not an http(s) URL was dropped'],
    ],
    [
      'embed_items',
      many((at) => `https://a.example/${at}`),
      first((at) => `https://a.example/${at}`),
      [TOO_MANY],
    ],
    [
      'embed_domains',
      ['A.example', 'not a domain', '*.b.example'],
      ['a.example'],
      ['an entry that is not a domain was dropped'],
    ],
    ['embed_domains', many((at) => `${at}.a.example`), first((at) => `${at}.a.example`), [TOO_MANY]],
    ['mentioned_profiles', many((at) => at), first((at) => String(at)), [TOO_MANY]],
    ['publication_types', many((at) => `t${at}`), first((at) => `t${at}`), [TOO_MANY]],
    ['tags', many((at) => `t${at}`), first((at) => `t${at}`), [TOO_MANY]],
    [
      'tags',
      ['#vinyl', ' ＃カメラ', 'Hip hop', 'vinyl', '#', '', `#${'x'.repeat(65)}`],
      ['vinyl', 'カメラ', 'Hip hop'],
      [
        'an entry was dropped; expected a string of 1 to 64 characters; got ""',
        `an entry was dropped; expected a string of 1 to 64 characters; this one is longer; got "#${'x'.repeat(39)}…"`,
      ],
    ],
    [
      'tags',
      ['#!', 'a'],
      ['a'],
      ['an entry was dropped; expected a hashtag with a letter or digit; got "#!"'],
    ],
    [
      'link_titles',
      ['A page', `${'🎉'.repeat(4096)}!`],
      ['A page', '🎉'.repeat(4096)],
      [`characters after the first 4,096 were dropped; got "${'🎉'.repeat(20)}…"`],
    ],
    ['alt_texts', many((at) => `a${at}`), first((at) => `a${at}`), [TOO_MANY]],
    [
      'ai_labels',
      many((at) => `l${at}`),
      Object.fromEntries(first((at) => [`l${at}`, 1]) as [string, number][]),
      [TOO_MANY],
    ],
    ['language', 'en_US', 'en-us', ['was read as en-us; got "en_US"']],
    ['language', 'zh_Hant_TW', 'zh-hant-tw', ['was read as zh-hant-tw; got "zh_Hant_TW"']],
    ['language', 'de_DE.UTF-8', 'de-de', ['was read as de-de; got "de_DE.UTF-8"']],
    ['language', 'zhHk', 'zh-hk', ['was read as zh-hk; got "zhHk"']],
    [
      'publication_types',
      ['image', 'x'.repeat(65), ''],
      ['image'],
      [
        `an entry was dropped; expected a string of 1 to 64 characters; this one is longer; got "${'x'.repeat(40)}…"`,
        'an entry was dropped; expected a string of 1 to 64 characters; got ""',
      ],
    ],
    [
      'ai_labels',
      { art: 1.00000536, music: -1e-9, ['x'.repeat(83)]: 1, joy: 0.5 },
      { art: 1, music: 0, joy: 0.5 },
      [
        'a score was moved into 0 to 1; got 1.00000536',
        'a score was moved into 0 to 1; got -1e-9',
        `a label was dropped; expected a string of 1 to 64 characters; this one is longer; got "${'x'.repeat(40)}…"`,
      ],
    ],
  ])('of %s is dropped with a warning (%#)', (field, given, kept, warnings) => {
    const parsed = parseItem({ item_id: 'i1', [field]: given });
    expect(parsed).toMatchObject({ ok: true, warnings: warnings.map((warning) => `${field}: ${warning}`) });
    expect(accepted(parsed).content).toMatchObject({ [field]: kept });
  });

  const NO_LANGUAGE = 'was dropped; expected a language tag such as en or pt-BR';
  const NO_PLACE = 'was dropped; expected "<latitude>,<longitude>" in decimal degrees, within ±90 and ±180';
  const NO_COUNT = 'was dropped; expected an integer from 0 to 9007199254740991';

  test.each<[string, unknown, string]>([
    ...['english', 'e', 'en-', 'C', '_US'].map((tag) => ['language', tag, NO_LANGUAGE] as const),
    ...['unknown', '91,0', '0,-180.01', '1,2,3', '1;2'].map((at) => ['geo_location', at, NO_PLACE] as const),
    ...[-3, 0.5, 2 ** 53].map((count) => ['likes_count', count, NO_COUNT] as const),
  ] as [string, unknown, string][])(
    '%s %p is dropped with a warning, and what else is said counts',
    (field, value, words) => {
      const parsed = parseItem({ item_id: 'i1', hidden: true, [field]: value });
      expect(parsed).toEqual({
        ok: true,
        record: { item_id: 'i1', content: { hidden: true } },
        warnings: [`${field}: ${words}; got ${JSON.stringify(value)}`],
      });
    },
  );

  test('of a name is cut off between two characters', () => {
    const name = `${'x'.repeat(255)}🎉`;
    expect(parseUser({ user_id: 'u', display_name: `${name}🎉y`, username: name })).toEqual({
      ok: true,
      record: { user_id: 'u', content: { display_name: name, username: name } },
      warnings: [`display_name: characters after the first 256 were dropped; got "${'x'.repeat(40)}…"`],
    });
  });

  test('is dropped with its domain', () => {
    const parsed = parseItem({
      item_id: 'i1',
      embed_items: ['https://a.example/', `https://b.example/${'x'.repeat(5000)}`],
    });
    expect(accepted(parsed).content.embed_domains).toEqual(['a.example']);
  });

  test('does not hide that other entries are faults', () => {
    const given = { item_id: 'i1', embed_items: ['ipfs://x', 7], mentioned_profiles: ['a', {}] };
    expect(pathsOf(parseItem(given))).toEqual(['/embed_items/1', '/mentioned_profiles/1']);
  });
});
