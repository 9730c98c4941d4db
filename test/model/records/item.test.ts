import { describe, expect, test } from 'bun:test';
import { LIMITS } from '../../../src/limits.ts';
import { parseItem } from '../../../src/model/records/index.ts';
import { accepted, faultsOf, pathsOf } from './support.ts';

const content = (fields: object) => accepted(parseItem({ item_id: 'i1', ...fields })).content;

describe('an item record', () => {
  test('with every field becomes content, author and counters', () => {
    const given = {
      item_id: 'i1',
      author_id: 12,
      created_at: '2025-12-04T15:12:40Z',
      text: 'Hello',
      embed_items: ['https://Example.com/a', 'http://b.example'],
      channel: 'https://example.com/~/music',
      parent_item_id: 'i0',
      root_item_id: 'i0',
      app_fid: 9152,
      language: 'pt-BR',
      publication_types: ['Images', 'music', 'image'],
      geo_location: ' 34.05 , -118.24 ',
      ai_labels: ['music'],
      likes_count: 95,
      comments_count: 0,
      shares_count: 8,
      updated_at: 1764861170.5,
      mentioned_profiles: [1, 'x', 1],
      hidden: true,
      metadata: { a: 1 },
    };
    const record = accepted(parseItem(given));
    const { content } = record;
    expect({ ...record, content: { ...content, ai_labels: { ...content.ai_labels } } }).toStrictEqual({
      item_id: 'i1',
      author_id: '12',
      content: {
        created_at: 1764861160,
        text: 'Hello',
        embed_items: ['https://Example.com/a', 'http://b.example'],
        embed_domains: ['example.com', 'b.example'],
        channel: 'https://example.com/~/music',
        parent_item_id: 'i0',
        root_item_id: 'i0',
        app_fid: '9152',
        language: 'pt-br',
        publication_types: ['image', 'music'],
        geo_location: '34.05,-118.24',
        ai_labels: { music: 1 },
        mentioned_profiles: ['1', 'x', '1'],
        hidden: true,
        metadata: { a: 1 },
        updated_at: 1764861170.5,
      },
      counters: { likes_count: 95, comments_count: 0, shares_count: 8, updated_at: 1764861170.5 },
    });
  });

  test('with an identifier alone changes nothing', () => {
    expect(parseItem({ item_id: 'i1' })).toStrictEqual({
      ok: true,
      record: { item_id: 'i1', content: {} },
      warnings: [],
    });
  });

  test('takes null as not given, in every field, and in author_id as not known', () => {
    const given = {
      author_id: null,
      created_at: null,
      text: null,
      channel: null,
      root_parent_url: null,
      ai_labels: null,
    };
    const record = accepted(
      parseItem({ item_id: 'i1', ...given, likes_count: null, hidden: null, metadata: null }),
    );
    expect(record).toStrictEqual({ item_id: 'i1', author_id: null, content: {} });
  });

  test('removes a stored value with an empty string', () => {
    const stored = { created_at: 1, channel: 'c', language: 'en', text: 'old' };
    const given = content({ channel: '', language: '', text: '' });
    expect(JSON.stringify({ ...stored, ...given })).toBe('{"created_at":1,"text":""}');
  });

  test('does not change its input', () => {
    const given = { item_id: 'i1', embed_items: ['https://a.example/'], publication_types: ['Videos'] };
    const before = structuredClone(given);
    parseItem(given);
    expect(given).toEqual(before);
  });

  test('has warnings about unknown fields, shortened, and one more than are listed', () => {
    const named = parseItem({ item_id: 'i1', lang: 'en', 'a/b': 1 });
    expect(named).toMatchObject({
      ok: true,
      warnings: ["unknown field 'lang' was ignored", "unknown field 'a/b' was ignored"],
    });
    const many = Object.fromEntries(
      Array.from({ length: 150 }, (_, index) => [`${index}`.padEnd(99, 'x'), 1]),
    );
    const clipped = parseItem({ item_id: 'i1', ...many });
    if (!clipped.ok) throw new Error('refused');
    expect(clipped.warnings.length).toBe(LIMITS.warnings_listed_max + 1);
    expect(clipped.warnings[0]).toBe(`unknown field '0${'x'.repeat(39)}…' was ignored`);
  });

  test('may have fields named like Object.prototype members', () => {
    const parsed = parseItem(
      JSON.parse('{"item_id":"i1","__proto__":{"hidden":true},"constructor":1,"toString":2}'),
    );
    expect(parsed).toStrictEqual({
      ok: true,
      record: { item_id: 'i1', content: {} },
      warnings: ['__proto__', 'constructor', 'toString'].map((name) => `unknown field '${name}' was ignored`),
    });
  });

  test.each([[null], [undefined], [7], ['i1'], [true], [[]], [[{ item_id: 'i1' }]], [new Map()]])(
    'that is %p is refused as a whole',
    (value) => expect(faultsOf(parseItem(value))).toEqual([{ path: '', message: 'expected a JSON object' }]),
  );

  test('is refused with all its faults at once', () => {
    const parsed = parseItem({ created_at: -1, text: 7, embed_items: ['', 'x', 5], hidden: 'no' });
    expect(pathsOf(parsed)).toEqual(['/created_at', '/text', '/embed_items/2', '/hidden', '/item_id']);
  });

  test.each([
    { item_id: null },
    { item_id: '' },
    { item_id: 7.5 },
    { author_id: '' },
    { author_id: 2 ** 53 },
    { created_at: '' },
    { created_at: 1764861160000 },
    { text: 7 },
    { embed_items: 'https://a.example/' },
    { embed_domains: {} },
    { channel: 7 },
    { channel: 'a\0' },
    { channel: 'x'.repeat(2049) },
    { parent_item_id: 7.5 },
    { root_item_id: 'x'.repeat(257) },
    { app_fid: 1.5 },
    { language: ['en'] },
    { publication_types: 'image' },
    { geo_location: [1, 2] },
    { ai_labels: 'gaming' },
    { likes_count: '7' },
    { updated_at: 'now' },
    { mentioned_profiles: 'x' },
    { dismissed_reports_count: -1 },
    { hidden: 0 },
    { metadata: [] },
  ])('%j is refused with the path of the field', (fields) => {
    expect(pathsOf(parseItem({ item_id: 'i1', ...fields }))).toEqual([`/${Object.keys(fields)[0]}`]);
  });

  test.each([
    [{ embed_domains: ['a.example', 7] }, '/embed_domains/1'],
    [{ publication_types: ['image', 7] }, '/publication_types/1'],
    [{ mentioned_profiles: ['a', null] }, '/mentioned_profiles/1'],
    [{ ai_labels: { gaming: '7' } }, '/ai_labels/gaming'],
  ])('%j is refused at the entry', (fields, path) => {
    expect(pathsOf(parseItem({ item_id: 'i1', ...fields }))).toEqual([path]);
  });
});

describe('the channel of an item', () => {
  test.each([
    [{ root_parent_url: 'c' }, 'c'],
    [{ channel: 'c', root_parent_url: 'c' }, 'c'],
    [{ channel: 'c', root_parent_url: null }, 'c'],
    [{ channel: null, root_parent_url: 'c' }, 'c'],
  ])('of %j is %s', (fields, channel) => expect(content(fields).channel).toBe(channel));

  test.each([
    { channel: 'c', root_parent_url: 'd' },
    { channel: '', root_parent_url: 'd' },
  ])('is refused when its two names differ: %j', (fields) => {
    expect(pathsOf(parseItem({ item_id: 'i1', ...fields }))).toEqual(['/root_parent_url']);
  });
});

describe('the embed domains of an item', () => {
  test('come from its embeds only if they are not given', () => {
    const embed_items = ['https://a.example/1', 'https://a.example/2', 'ipfs://x'];
    expect(content({ embed_items }).embed_domains).toEqual(['a.example']);
    expect(content({ embed_items, embed_domains: null }).embed_domains).toEqual(['a.example']);
    expect(content({ embed_items, embed_domains: [] }).embed_domains).toEqual([]);
    expect(content({ embed_items: [] }).embed_domains).toEqual([]);
    expect('embed_domains' in content({ text: 'x' })).toBe(false);
  });

  test('are listed without duplicates in any spelling', () => {
    const embed_domains = ['B.example', 'https://b.example/x', 'a.example.'];
    expect(content({ embed_domains }).embed_domains).toEqual(['b.example', 'a.example']);
  });
});

describe('the counters of an item', () => {
  test('are present if at least one was given', () => {
    const counters = (fields: object) => accepted(parseItem({ item_id: 'i1', ...fields })).counters;
    expect(counters({ likes_count: 0 })).toStrictEqual({ likes_count: 0 });
    expect(counters({ shares_count: 3, updated_at: 5 })).toStrictEqual({ shares_count: 3, updated_at: 5 });
    expect(counters({ updated_at: 5 })).toBeUndefined();
  });
});

describe('the text of an item', () => {
  test('is measured in characters, not in UTF-16 units', () => {
    expect(content({ text: '🎉'.repeat(LIMITS.text_length_max) }).text?.length).toBe(
      2 * LIMITS.text_length_max,
    );
  });

  test('has unpaired surrogates replaced', () => {
    expect(content({ text: 'cut \ud83c' }).text).toBe('cut \ufffd');
  });
});
