import { describe, expect, test } from 'bun:test';
import { StartupError } from '../../src/errors.ts';
import { LINE_BYTES_MAX } from '../../src/rows/lines.ts';
import { csv, nft, token, wallet } from '../alpha/support.ts';
import { START } from '../support/service.ts';
import { type Files, importInto, itemsOf, jsonl, withFolder, withImported, withService } from './support.ts';

const HEADER = 'user_id,item_id,event_type,timestamp\n';
const ITEM = '{"item_id":"a","author_id":"w","created_at":1000}\n';

function outputOf(files: Files): Promise<{ lines: string[]; counts: string[] }> {
  return withImported(files, async (_opened, { lines, files: reports }) => ({
    lines,
    counts: reports.map(({ name, accepted, rejected }) => `${name} ${accepted} ${rejected}`),
  }));
}

describe('a bad line is reported with its position and skipped', () => {
  const BAD_FILES: [string, string, string[], string][] = [
    [
      'items.jsonl',
      [
        ITEM.trim(),
        '{"item_id":"b","author_id":"w","created_at":1000000000000}',
        '',
        '{"item_id":"c","created_at":1}',
        '{"item_id":',
        '["d"]',
        '{"item_id":"e","author_id":"w","created_at":1000}',
        '{"item_id":"f","author_id":null}',
      ].join('\n'),
      [
        'items.jsonl:2: created_at: expected seconds, this looks like milliseconds; feedloom import --time-unit reads ms, us or ns, and COLUMN@ms in a map one column',
        'items.jsonl:4: author_id: is required for a new item',
        expect.stringMatching(/^items\.jsonl:5: not valid JSON: /),
        'items.jsonl:6: record: expected a JSON object',
      ],
      'items.jsonl 3 4',
    ],
    [
      'interactions.csv',
      `${HEADER}u,a,like,5\nu,a,like\nu,a,love,5\nu,a,like,\n"u\nv",a,like,6\nu,"a,like,7\nu,a,share,8\n`,
      [
        'interactions.csv:3: expected 4 fields as in the header; got 3',
        expect.stringMatching(/^interactions\.csv:4: event_type: expected one of view, like/),
        'interactions.csv:5: timestamp: is required',
        'interactions.csv:8: a quoted field is not closed',
      ],
      'interactions.csv 3 4',
    ],
    [
      'events.csv',
      [
        csv([1, token(1), 'mint', 1000]).trim(),
        `x,${token(1)},mint,1000`,
        `${wallet(1)},${token(1)},stake,1000`,
        `${wallet(1)},${token(1)},mint,`,
        `${wallet(1)},${token(1)},mint,${START + 999}`,
        wallet(1),
      ].join('\n'),
      [
        expect.stringMatching(/^events\.csv:3: wallet_address: expected a wallet address/),
        expect.stringMatching(/^events\.csv:4: event_type: expected one of mint, buy/),
        'events.csv:5: timestamp: is required',
        "events.csv:6: timestamp: lies ahead of the service's clock",
        'events.csv:7: expected 4 fields as in the header; got 1',
      ],
      'events.csv 1 5',
    ],
    [
      'tokens.jsonl',
      `{"item_id":"${token(1)}","decimals":-1}\n{"item_id"\n{"item_id":"eth.0x1"}\n`,
      [
        'tokens.jsonl:1: decimals: expected an integer from 0 to 255; got -1',
        expect.stringMatching(/^tokens\.jsonl:2: not valid JSON: /),
        expect.stringMatching(/^tokens\.jsonl:3: item_id: expected base\.<contract>/),
      ],
      'tokens.jsonl 0 3',
    ],
  ];

  test.each(BAD_FILES)('in %s', async (name, text, expected, count) => {
    const { lines, counts } = await outputOf({ [name]: text });
    // Faults that depend on stored data are found later.
    expect(lines.toSorted()).toEqual(expected);
    expect(counts).toEqual([count]);
  });

  test('for JSON with too many levels for recursion', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const { lines, counts } = await outputOf({
      'items.jsonl': `${ITEM}{"item_id":"b","metadata":${deep}}\n`,
    });
    expect(lines).toEqual(['items.jsonl:2: more than 64 levels of objects and arrays']);
    expect(counts).toEqual(['items.jsonl 1 1']);
  });

  test('for broken UTF-8 and for a line that is too long', async () => {
    const long = `{"item_id":"b","author_id":"w","created_at":1,"metadata":{"x":"${'y'.repeat(LINE_BYTES_MAX)}"}}\n`;
    const bytes = Buffer.concat([Buffer.from(ITEM), Buffer.from([0xff, 10]), Buffer.from(long + ITEM)]);
    const { lines, counts } = await outputOf({ 'items.jsonl': bytes });
    expect(lines).toEqual([
      'items.jsonl:2: the line is not valid UTF-8',
      `items.jsonl:3: the line is longer than ${LINE_BYTES_MAX} bytes`,
    ]);
    expect(counts).toEqual(['items.jsonl 2 2']);
  });

  test('individually for the first twenty of a file and the first of each reason, and counted by reason', async () => {
    const bad_date = (id: string) => `{"item_id":"${id}","author_id":"a","created_at":"${id}"}\n`;
    const { lines } = await outputOf({
      'items.jsonl': `${'{}\n'.repeat(26)}${bad_date('x')}${bad_date('y')}`,
    });
    const own = lines.filter((line) => line.startsWith('items.jsonl:'));
    expect(own).toHaveLength(23);
    expect(own[20]).toMatch(/^items\.jsonl:27: created_at: expected .*; got "x"$/);
    expect(own[21]).toBe('items.jsonl: 26 bad lines: item_id: is required');
    expect(own[22]).toMatch(/^items\.jsonl: 2 bad lines: created_at: expected seconds[^"]*$/);
  });

  test.each([
    [
      'user_id,item_id,timestamp',
      'expected the columns user_id, item_id, event_type, timestamp; event_type missing; found user_id, item_id, timestamp; map it (--map "interactions.csv=interactions:user_id=COLUMN,item_id=COLUMN,event_type=COLUMN,timestamp=COLUMN"), or move it away',
    ],
    [
      'user_id,item_id,event_type,timestamp,user_id',
      'the column user_id appears twice; map it (--map "interactions.csv=interactions:user_id=COLUMN,item_id=COLUMN,event_type=COLUMN,timestamp=COLUMN"), or move it away',
    ],
  ])('the header %s ends the import before any record is taken', async (header, reason) => {
    const files = { 'items.jsonl': ITEM, 'interactions.csv': `${header}\nu,a,5\nv,a,5\n` };
    await withService((opened) =>
      withFolder(files, async (folder) => {
        const refusal = new StartupError('unreadable_file', `interactions.csv:1: header: ${reason}`);
        await expect(importInto(opened, folder)).rejects.toThrow(refusal);
        expect(opened.service.state.items.size).toBe(0);
      }),
    );
  });

  test.each<[string, Files, boolean, string]>([
    [
      'Nothing has been imported.',
      { 'items.jsonl': ITEM, 'interactions.csv': 'user_id,item_id\n' },
      false,
      'unreadable_file',
    ],
    ['Nothing has been imported.', { 'items.jsonl': `{}\n${ITEM}` }, true, 'bad_line'],
    ['What came before it has been imported.', { 'items.jsonl': `${ITEM}{}\n` }, true, 'bad_line'],
  ])(
    'the error that ends an import states what was imported: %s (%j)',
    async (outcome, files, strict, code) => {
      await withService((opened) =>
        withFolder(files, async (folder) => {
          const [import_] = await Promise.allSettled([importInto(opened, folder, strict)]);
          expect(import_).toMatchObject({ status: 'rejected', reason: { code, remedy: outcome } });
          expect(opened.service.state.items.size).toBe(outcome.startsWith('Nothing') ? 0 : 1);
        }),
      );
    },
  );

  test('unknown fields are named up to twenty per file, then only mentioned', async () => {
    const records = Array.from({ length: 22 }, (_, n) =>
      JSON.stringify({ item_id: `item ${n}`, author_id: 'w', created_at: 1, [`field${n}`]: 1 }),
    );
    const { lines } = await outputOf({ 'items.jsonl': records.join('\n') });
    expect(lines).toHaveLength(21);
    expect(lines[20]).toBe('items.jsonl: further warnings are not listed');
  });

  test('unknown fields are named once, with the number of lines', async () => {
    const { lines } = await outputOf({
      'interactions.csv': `${HEADER.trim()},place\nu,a,like,5,x\nu,b,like,5,x\n`,
      'items.jsonl':
        '{"item_id":"a","author_id":"w","created_at":1,"n":1}\n{"item_id":"b","author_id":"w","created_at":1,"n":1}\n',
    });
    expect(lines).toEqual([
      "items.jsonl:1: unknown field 'n' was ignored",
      "interactions.csv:1: unknown field 'place' was ignored",
      "items.jsonl: 2 lines: unknown field 'n' was ignored",
    ]);
  });

  test('parts that cannot be kept are dropped, with a warning that counts the lines', async () => {
    const item = (item_id: string, fields: object) =>
      JSON.stringify({ item_id, author_id: 'w', created_at: 1, ...fields });
    const { lines, counts } = await outputOf({
      'items.jsonl': [
        item('a', { embed_items: [`https://a.example/${'x'.repeat(5000)}`] }),
        item('b', { embed_items: ['ipfs://x', 'https://b.example/'] }),
        item('c', { embed_items: ['ftp://x'] }),
        item('d', { text: 'x'.repeat(100_001) }),
      ].join('\n'),
    });
    expect(lines).toEqual([
      'items.jsonl:1: embed_items: a link of more than 4,096 characters was dropped',
      'items.jsonl:2: embed_items: a link that is not an http(s) URL was dropped',
      `items.jsonl:4: text: characters after the first 100,000 were dropped; got "${'x'.repeat(40)}…"`,
      'items.jsonl: 2 lines: embed_items: a link that is not an http(s) URL was dropped',
    ]);
    expect(counts).toEqual(['items.jsonl 4 0']);
  });
});

describe('files are read tolerantly', () => {
  test('with a byte order mark, CRLF, columns in any order and quoted fields', async () => {
    await withImported(
      {
        'items.jsonl': `\ufeff${ITEM.trim()}\r\n{"item_id":"x, \\"y\\"","author_id":"w","created_at":1}`,
        'interactions.csv':
          '\ufefftimestamp,event_type,item_id,user_id\r\n1700,like,"x, ""y""",u\r\n\r\n1800,like,a,u\r\n',
      },
      async ({ service }, { lines, bare_items }) => {
        expect({ lines, bare_items }).toEqual({ lines: [], bare_items: 0 });
        const { items } = service.state;
        expect(items.likes_count(items.names.find('x, "y"'))).toBe(1);
        expect(items.likes_count(items.names.find('a'))).toBe(1);
      },
    );
  });

  test('compressed', async () => {
    const { lines, counts } = await outputOf({ 'items.jsonl.gz': `${ITEM}{}\n` });
    expect(lines).toEqual(['items.jsonl.gz:2: item_id: is required']);
    expect(counts).toEqual(['items.jsonl.gz 1 1']);
  });

  test('but a truncated compressed file ends the import, and earlier records stay', async () => {
    const whole = Bun.gzipSync(
      Array.from({ length: 9_000 }, (_, n) => `${ITEM.replace('"a"', `"${n * 7919}"`)}`).join(''),
    );
    await withService((opened) =>
      withFolder({ 'items.jsonl.gz': whole.subarray(0, whole.length - 200) }, async (folder) => {
        const [import_] = await Promise.allSettled([importInto(opened, folder)]);
        expect(import_.status === 'rejected' && import_.reason.code).toBe('unreadable_file');
        expect(opened.service.state.items.size).toBeGreaterThan(1_000);
      }),
    );
  });
});

test('a relation of a user to themselves is dropped with a warning, also by a strict import', async () => {
  const rows = 'user_id,target_user_id\nu,u\nu,v\nv,v\n';
  await withService((opened) =>
    withFolder({ 'follows.csv': rows, 'blocks.csv': rows }, async (folder) => {
      const { lines, files } = await importInto(opened, folder, true);
      const warning = 'target_user_id: expected another user than user_id; dropped';
      expect(lines).toContain(`follows.csv:2: ${warning}`);
      expect(lines).toContain(`blocks.csv: 2 lines: ${warning}`);
      for (const report of files) expect(report).toMatchObject({ accepted: 1, skipped: 2, rejected: 0 });
    }),
  );
});

describe('a strict import takes nothing after', () => {
  const ahead = START + 999;
  const attributes = Array.from({ length: 115 }, () => ({ trait_type: 'sky', value: 'x'.repeat(500) }));
  const nftLine = (n: number, more: object) => ({ item_id: nft(1, n), ...more });
  test.each<[string, Files, string, string[]]>([
    [
      'the first bad line',
      {
        'items.jsonl': `${ITEM}{"item_id":"b","author_id":"w","created_at":3000}\n`,
        'interactions.csv': `${HEADER}u,a,like,2000\nu,a,love,2500\nu,c,share,2600\n`,
      },
      'interactions.csv:3: event_type',
      ['a'],
    ],
    [
      'a bad record, even if other files continue',
      {
        'items.jsonl': '{"item_id":"b"}\n',
        'blocks.csv': 'user_id,target_user_id\nu,v\n',
        'interactions.csv': `${HEADER}u,a,like,2000\n`,
      },
      'items.jsonl:1: author_id',
      [],
    ],
    [
      'an item that only the stored data proves bad',
      { 'items.jsonl': `${ITEM}{"item_id":"b","created_at":3000}\n${ITEM.replace('"a"', '"c"')}{}\n` },
      'items.jsonl:2: author_id: is required for a new item',
      ['a'],
    ],
    [
      'the first bad event',
      { 'events.csv': `${csv([1, token(1), 'mint', 1000])}x,y,z,0\n${wallet(1)},${token(2)},mint,1000\n` },
      'events.csv:3: wallet_address',
      [token(1)],
    ],
    [
      'an event that only the clock proves bad',
      {
        'events.csv': csv(
          [1, token(1), 'mint', 1000],
          [1, token(2), 'mint', ahead],
          [1, token(3), 'mint', 1000],
        ),
      },
      "events.csv:3: timestamp: lies ahead of the service's clock",
      [token(1)],
    ],
    [
      'a token that only the stored data proves bad',
      {
        'tokens.jsonl': jsonl([
          nftLine(1, { attributes }),
          nftLine(1, { description: 'x'.repeat(9_000) }),
          nftLine(3, { name: 'Three' }),
        ]),
      },
      'tokens.jsonl:2: record: expected at most',
      [nft(1, 1)],
    ],
  ])('%s', (_, files, told, known) =>
    withService((opened) =>
      withFolder(files, async (folder) => {
        const [import_] = await Promise.allSettled([importInto(opened, folder, true)]);
        expect(import_.status === 'rejected' && import_.reason.message).toStartWith(told);
        expect(itemsOf(opened)).toEqual(known);
      }),
    ),
  );
});
