import { describe, expect, test } from 'bun:test';
import { parseItem } from '../../../src/model/records/index.ts';
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
      ['characters after the first 100,000 were dropped'],
    ],
    ['text', '🎉'.repeat(100_001), '🎉'.repeat(100_000), ['characters after the first 100,000 were dropped']],
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
    [
      'ai_labels',
      many((at) => `l${at}`),
      Object.fromEntries(first((at) => [`l${at}`, 1]) as [string, number][]),
      [TOO_MANY],
    ],
  ])('of %s is dropped with a warning (%#)', (field, given, kept, warnings) => {
    const parsed = parseItem({ item_id: 'i1', [field]: given });
    expect(parsed).toMatchObject({ ok: true, warnings: warnings.map((warning) => `${field}: ${warning}`) });
    expect(accepted(parsed).content).toMatchObject({ [field]: kept });
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
