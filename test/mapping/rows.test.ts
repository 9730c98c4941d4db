import { describe, expect, test } from 'bun:test';
import { parseEngagement, parseFollow, parseInteraction } from '../../src/model/records/index.ts';
import { accepted, pathsOf } from '../model/records/support.ts';
import { rowOfCsv, rowOfJson } from './support.ts';

describe('a row of CSV', () => {
  test('has times and counts as numbers, identifiers as text, and no empty cells', () => {
    const row = {
      item_id: '007',
      timestamp: '1604686251',
      likes_count: '71',
      comments_count: '41.0',
      shares_count: '',
    };
    expect(accepted(parseEngagement(rowOfCsv({ kind: 'engagement' }, row).fields))).toEqual({
      item_id: '007',
      timestamp: 1604686251,
      likes_count: 71,
      comments_count: 41,
    });
  });

  test.each([
    ['1506826800.026', 1506826800.026],
    ['1.604686251e+09', 1604686251],
    ['2020-11-06T18:10:51Z', 1604686251],
  ])('may have the time %s', (timestamp, expected) => {
    const row = { user_id: '1', target_user_id: '2', timestamp };
    expect(accepted(parseFollow(rowOfCsv({ kind: 'follows' }, row).fields)).timestamp).toBe(expected);
  });

  test.each(['-1', '1604686251000', '0x5F', 'NaN', '1,5', '1e999'])(
    'may not have the time %p',
    (timestamp) => {
      const row = { user_id: '1', item_id: 'i', event_type: 'like', timestamp };
      const { fields } = rowOfCsv({ kind: 'interactions' }, row);
      expect(pathsOf(parseInteraction(fields))).toEqual(['/timestamp']);
    },
  );

  test('keeps numbers in other columns as text', () => {
    const row = {
      user_id: '1',
      item_id: '2',
      event_type: 'comment',
      timestamp: '3',
      action: '',
      event_id: '4',
    };
    expect(rowOfCsv({ kind: 'interactions' }, row).fields).toEqual({
      user_id: '1',
      item_id: '2',
      event_type: 'comment',
      timestamp: 3,
      event_id: '4',
    });
  });

  test('may have any header', () => {
    const row = JSON.parse('{"user_id":"1","__proto__":"x","target_user_id":"2"}');
    expect(rowOfCsv({ kind: 'follows' }, row).fields).toEqual({ user_id: '1', target_user_id: '2' });
  });

  test('has an embedding as a JSON array or base64', () => {
    const numbers = Array<number>(16).fill(0.5);
    const embeddingOf = (embedding: string) => rowOfCsv({ kind: 'items' }, { embedding }).fields.embedding;
    expect(embeddingOf(JSON.stringify(numbers))).toEqual(numbers);
    const digits = '1234'.repeat(8);
    expect(embeddingOf(digits)).toBe(digits);
  });
});

const RATED = 'r.csv=interactions:event_type=rating[>=4:like,<=1.5:hide,2:skip,*:view]';

describe('a mapped row', () => {
  test.each([
    ['5', 'like'],
    ['4.0', 'like'],
    ['1', 'hide'],
    ['+1.5e0', 'hide'],
    ['3.5', 'view'],
    ['4,5', 'like'],
    ['1,5', 'hide'],
    ['4,500', 'view'],
    ['unrated', 'view'],
    ['', undefined],
    ['\\N', undefined],
  ])('with the rating %p is the act %p', (rating, event_type) => {
    const { fields, is_skipped } = rowOfCsv(RATED, { rating });
    expect([fields.event_type as unknown, is_skipped]).toEqual([event_type, false]);
  });

  test.each(['2', '2.0', '02'])('with the rating %p stays out', (rating) => {
    expect(rowOfCsv(RATED, { rating }).is_skipped).toBe(true);
  });

  test.each<[string, string, unknown]>([
    ['5', '5.0', 'x'],
    ['5.0', '5', 'x'],
    ['five', '5', '5'],
    ['9007199254740993', '9007199254740992', '9007199254740992'],
    ['9007199254740993', '9007199254740993', 'x'],
    ['*', '7', 'x'],
    ['*', '', null],
    ["''", '', 'x'],
    ["''", 'NULL', 'x'],
  ])('with the rule [%s:x] has for %p the author %p', (from, author, expected) => {
    const map = `a.csv=items:author_id=by[${from}:x]`;
    expect(rowOfCsv(map, { by: author }, { nulls: ['NULL'] }).fields.author_id).toEqual(expected);
  });

  test.each<[string, object, boolean]>([
    ['deleted_at[*:skip]', { deleted_at: '2024-01-01' }, true],
    ['deleted_at[*:skip]', { deleted_at: '' }, false],
    ['deleted_at[*:skip]', { deleted_at: '\\N' }, false],
    ["deleted_at['':skip]", { deleted_at: '' }, true],
    ['visibility[0:keep,*:skip]', { visibility: '0' }, false],
    ['visibility[0:keep,*:skip]', { visibility: '1' }, true],
    ['visibility[>1:skip]', { visibility: '3' }, true],
  ])('with skip=%s and %j stays out: %p', (skip, row, expected) => {
    const given = { id: '1', ...row };
    const map = `a.csv=items:item_id=id,skip=${skip}`;
    expect(rowOfCsv(map, given)).toMatchObject({ is_skipped: expected, fields: { item_id: '1' } });
    expect(rowOfJson(map, JSON.stringify(given)).is_skipped).toBe(expected);
  });

  test.each([
    ['a@ms', '1700000000500', 1_700_000_000.5],
    ['a@us', '1700000000500000', 1_700_000_000.5],
    ['a@s', '1700000000.5', 1_700_000_000.5],
    ['a', '1700000000', 1_700_000],
    ['a@us', '2024-01-01', '2024-01-01'],
    ['a@dd.mm.yyyy', '26.11.2026', '2026-11-26'],
    ['a@dd.mm.yyyy', ' 3.1.2026 9:05 ', '2026-01-03T09:05'],
    ['a@dd.mm.yyyy', '26.11.2026, 14:05:07.25', '2026-11-26T14:05:07.25'],
    ['a@dd.mm.yyyy', '26/11/2026', '26/11/2026'],
    ['a@dd.mm.yyyy', 'gestern', 'gestern'],
    ['a@dd.mm.yyyy', '2026-11-26', '2026-11-26'],
    ['a@dd.mm.yyyy', '1700000000000', 1_700_000_000],
    ['a@dd/mm/yyyy', '03/11/2026 14:05+02:00', '2026-11-03T14:05+02:00'],
    ['a@mm/dd/yyyy', '11/03/2026 2:05 PM', '2026-11-03T14:05'],
    ['a@mm/dd/yyyy', '11/03/2026 12:05:00 am', '2026-11-03T00:05:00'],
    ['a@mm/dd/yyyy', '26/11/2026', '2026-26-11'],
  ])('with created_at=%s reads %p as %p beside --time-unit ms', (source, text, expected) => {
    const map = `a.csv=items:created_at=${source}`;
    const options = { time_unit: 'ms' } as const;
    expect(rowOfCsv(map, { a: text }, options).fields.created_at).toEqual(expected);
    expect(rowOfJson(map, `{"a":"${text}"}`, options).fields.created_at).toEqual(expected);
  });

  test('of JSON is converted as CSV is', () => {
    const line =
      '{"created_utc":"1192450693","score":-4,"stickied":0,"gone":"yes","by":12,"title":5,"tags":"a|b"}';
    const map =
      'a.jsonl=items:created_at=created_utc,likes_count=score,revive=stickied,hidden=gone,author_id=by,text=title,publication_types=tags';
    expect(rowOfJson(map, line).fields).toEqual({
      created_at: 1192450693,
      likes_count: -4,
      revive: false,
      hidden: true,
      author_id: '12',
      text: '5',
      publication_types: ['a|b'],
    });
  });

  test('of JSON has nested values by their path, and literal names in quotes', () => {
    const line = '{"_id":{"$oid":"5f"},"a.b":"dotted","a":{"b":"deep"},"tags":[["e","id"]],"c.d":"only"}';
    const map =
      'a.jsonl=items:item_id=_id.$oid,author_id="a.b",text=c.d,root_item_id=tags.0.1,parent_item_id=a.none.x';
    expect(rowOfJson(map, line).fields).toEqual({
      item_id: '5f',
      author_id: 'dotted',
      text: 'only',
      root_item_id: 'id',
    });
    expect(rowOfJson('a.jsonl=items:text=x.b', '{"x":{"b":"deep"}}').fields).toEqual({ text: 'deep' });
  });

  test('of JSON keeps all digits of identifiers, alone and in lists', () => {
    const line = '{"id":1161888007138312192,"at":[9007199254740993,7],"n":{"id":-1161888007138312192}}';
    const map = 'a.jsonl=items:item_id=id,mentioned_profiles=at,author_id=n.id';
    expect(rowOfJson(map, line).fields).toMatchObject({
      item_id: '1161888007138312192',
      mentioned_profiles: ['9007199254740993', 7],
      author_id: '-1161888007138312192',
    });
  });

  test('has an unknown author where the source has none or a text that means none', () => {
    const map = 'a.jsonl=items:item_id=id,author_id=by["[deleted]":\'\']';
    const authors = ['{"id":1,"by":"[deleted]"}', '{"id":1,"by":null}', '{"id":1}', '{"id":1,"by":"ann"}'];
    expect(authors.map((line) => rowOfJson(map, line).fields.author_id)).toEqual([null, null, null, 'ann']);
  });

  test('has no date of the years 0 and 1', () => {
    for (const text of [
      '0001-01-01T00:00:00Z',
      '0000-00-00',
      '0000-00-00 00:00:00',
      '0001-01-01 00:00:00+00',
    ]) {
      expect(rowOfCsv({ kind: 'items' }, { item_id: '1', created_at: text }).fields).toEqual({
        item_id: '1',
      });
    }
  });

  test.each([
    [' 12', '12', undefined],
    [
      '12.0',
      '12.0',
      'user_id: an identifier with a point; got "12.0", which looks like 12 written by a data frame',
    ],
    [
      '1.23457E+18',
      '1.23457E+18',
      'user_id: an identifier with an exponent; got "1.23457E+18", with digits lost by a spreadsheet',
    ],
    ['NULL', 'NULL', 'user_id: NULL is read as a text; --null NULL reads it as no value'],
    ['v1.0', 'v1.0', undefined],
    ['nan', 'nan', 'user_id: nan is read as a text; --null nan reads it as no value'],
  ])('with the identifier %p has %p and the warning %p', (text, id, warning) => {
    const { fields, warnings } = rowOfCsv('a.csv=users:user_id=id', { id: text });
    expect([fields.user_id as unknown, ...warnings]).toEqual([
      id,
      ...(warning === undefined ? [] : [warning]),
    ]);
  });

  test('without a map keeps the blanks of an identifier, which stood in quotes', () => {
    expect(rowOfCsv({ kind: 'users' }, { user_id: ' 12' })).toMatchObject({
      fields: { user_id: ' 12' },
      warnings: [],
    });
  });

  test('takes counters without the time of a column that the map does not name', () => {
    const row = { id: '1', updated_at: '2024-01-01', likes: '2' };
    const map = 'a.csv=items:item_id=id,likes_count=likes';
    const line = JSON.stringify(row);
    expect(rowOfCsv(map, row).fields).toEqual({ item_id: '1', likes_count: 2 });
    expect(rowOfJson(map, line).fields).toEqual({ item_id: '1', likes_count: 2 });
    expect(rowOfJson(map, line).warnings).toEqual([
      expect.stringContaining('the column updated_at was ignored'),
    ]);
    const named = rowOfJson(`${map},updated_at=updated_at`, line);
    expect(named).toMatchObject({ fields: { likes_count: 2, updated_at: '2024-01-01' }, warnings: [] });
    expect(rowOfCsv('a.csv=items:item_id=id', row).fields).toEqual({
      item_id: '1',
      updated_at: '2024-01-01',
    });
  });
});
