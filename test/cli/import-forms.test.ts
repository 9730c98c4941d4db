import { describe, expect, test } from 'bun:test';
import { type Files, folderWith, jsonl } from '../interchange/support.ts';
import { imported, lines } from './import-support.ts';
import { run } from './run.ts';

/** Files as other programs write them. */

const ITEM = '{"item_id":"a","author_id":"w","created_at":1700000000}\n';
const POSTS = ['posts.csv=items:item_id=id,author_id=by,created_at=at,text=title'];

describe('import reads files as they are written', () => {
  test.each<[string, Files, string[], string | undefined, object[]]>([
    [
      'CSV with semicolons in Windows-1252',
      { 'posts.csv': Buffer.from('id;by;at;title\n1;w;2024-01-01;caf\xe9, cr\xe8me\n', 'latin1') },
      POSTS,
      'posts.csv: the cells are separated by semicolons\nposts.csv: the bytes are no UTF-8, so they are read as Windows-1252\n',
      [{ item_id: '1', text: 'café, crème' }],
    ],
    [
      'UTF-16 with tabs, from a spreadsheet',
      { 'posts.tsv': Buffer.from('\ufeffid\tby\tat\ttitle\r\n1\tw\t2024-01-01\té\r\n\t\t\t\r\n', 'utf16le') },
      ['posts.tsv=items:item_id=id,author_id=by,created_at=at,text=title'],
      'posts.tsv: the encoding is UTF-16\nposts.tsv: the cells are separated by tabs\n',
      [{ item_id: '1', text: 'é' }],
    ],
    [
      'quotes that are escaped by a backslash',
      { 'posts.csv': 'id,by,at,title\n1,w,2024-01-01,"he said \\"hi\\""\n' },
      POSTS,
      'posts.csv: quotes within cells are written with a backslash\n',
      [{ item_id: '1', text: 'he said "hi"' }],
    ],
    [
      'one array of JSON',
      { 'posts.json': '[\n {"id": 1161888007138312192, "by": "w", "at": 1700000000},\n null\n]\n' },
      ['posts.json=items:item_id=id,author_id=by,created_at=at'],
      'posts.json: the file is an array of JSON\n',
      [{ item_id: '1161888007138312192', author_id: 'w' }],
    ],
    [
      'the result of a query as JSON',
      { 'query.json': '{"success":true,"columns":["id","by","at"],"rows":[[7,null,"2024-01-01"]]}' },
      ['query.json=items:item_id=id,author_id=by,created_at=at'],
      'query.json: the file has the columns and rows of a query\n',
      [{ item_id: '7', author_id: null }],
    ],
    [
      'names in capitals',
      { 'ITEMS.JSONL': ITEM, 'POSTS.CSV.GZ': Bun.gzipSync('id,by,at\n1,w,2024-01-01\n') },
      ['posts.csv=items:item_id=id,author_id=by,created_at=at'],
      undefined,
      [{ item_id: 'a' }, { item_id: '1' }],
    ],
    [
      'a compressed file of several parts',
      {
        'items.jsonl.gz': Buffer.concat([ITEM, ITEM.replace('"a"', '"b"')].map((text) => Bun.gzipSync(text))),
      },
      [],
      undefined,
      [{ item_id: 'a' }, { item_id: 'b' }],
    ],
  ])('%s', async (_case, files, maps, notes, items) => {
    const flags = maps.flatMap((map) => ['--map', map]);
    await imported(files, flags, ({ code, stderr }, out) => {
      expect(code).toBe(0);
      expect(stderr).toStartWith(notes ?? '');
      const found = (out['items.jsonl'] ?? '') === '' ? [] : lines(out['items.jsonl']);
      expect(found.length).toBe(items.length);
      for (const item of items) expect(found).toContainEqual(expect.objectContaining(item));
    });
    const dry = await run('import', folderWith(files), '--dry-run', ...flags);
    if (notes !== undefined) expect(dry.stderr).toBe(notes);
  });

  test('a file without header, whose map names columns by position', async () => {
    const files = {
      'steam.csv':
        '151603712,"The Elder Scrolls",purchase,1.0,0\n151603712,"The Elder Scrolls",play,273.0,0\n',
    };
    const map = (item: string) =>
      `steam.csv=interactions:user_id=1,item_id=${item},timestamp='2020-01-01',event_type=3[purchase:like,play:view]`;
    await imported(files, ['--map', map('2')], ({ stdout, stderr }, out) => {
      expect(stdout).toContain('steam.csv  2 accepted');
      expect(stderr).toContain(
        'steam.csv:1: the map names columns by position, so the first line is a row\n',
      );
      expect(out['interactions.csv']).toContain('151603712,The Elder Scrolls,like');
    });
    const named = await run(
      'import',
      folderWith(files),
      '--map',
      map('2').replace('user_id=1', 'user_id=user'),
    );
    expect(named.stderr).toContain(
      '--map asks for the column user, and names others by position; the first row has 5 cells',
    );
    const all = map('item').replace('=1', '=user').replace('=3[', '=what[');
    const unknown = await run('import', folderWith(files), '--map', all);
    expect(unknown.stderr).toContain(
      '--map asks for the column user; found 151603712, The Elder Scrolls, purchase, 1.0, 0; without a header, a map names columns by position: --map "FILE=kind:field=1,field=2"',
    );
    const beyond = await run('import', folderWith(files), '--map', map('9'));
    expect(beyond.stderr).toContain('--map asks for the column 9, and names others by position');
  });

  test('a folder with a file twice is refused, in capitals as well', async () => {
    const { code, stderr } = await run('import', folderWith({ 'items.jsonl': ITEM, 'ITEMS.JSONL': ITEM }));
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('holds both ITEMS.JSONL and items.jsonl [ambiguous_files]'),
    ]);
  });

  test('identifiers of 64 bits keep their digits in lines of JSON, with a map and without', async () => {
    const files = {
      'items.jsonl':
        '{"item_id":1161888007138312192,"author_id":1161888007138312193,"created_at":1,"mentioned_profiles":[1161888007138312194]}\n',
      'posts.jsonl': '{"id":1610521604143693812,"by":{"id":1610521604143693813},"at":1}\n',
    };
    const map = 'posts.jsonl=items:item_id=id,author_id=by.id,created_at=at';
    await imported(files, ['--map', map], (_ran, out) => {
      expect(lines(out['items.jsonl'])).toMatchObject([
        {
          item_id: '1161888007138312192',
          author_id: '1161888007138312193',
          mentioned_profiles: ['1161888007138312194'],
        },
        { item_id: '1610521604143693812', author_id: '1610521604143693813' },
      ]);
    });
  });

  test('Hacker News, with lines of null, deleted stories, one link for a list, and votes against', async () => {
    const files = {
      'hn.jsonl':
        'null\n{"id":1,"by":"pg","time":1160418111,"url":"https://a.example/","title":"x"}\n{"id":2,"deleted":true,"time":1160418112}\n',
      'votes.jsonl':
        '{"by":"u","on":1,"vote":1,"time":1160418113}\n{"by":"v","on":1,"vote":-1,"time":1160418113}\n',
    };
    const maps = [
      'hn.jsonl=items:item_id=id,author_id=by,created_at=time,text=title,embed_items=url',
      'votes.jsonl=interactions:user_id=by,item_id=on,timestamp=time,event_type=vote[1:like,-1:hide]',
    ];
    await imported(files, [...maps.flatMap((map) => ['--map', map]), '--strict'], ({ stdout }, out) => {
      expect(stdout).toContain('hn.jsonl     2 accepted (0 unchanged), 0 rejected');
      expect(lines(out['items.jsonl'])).toMatchObject([
        { item_id: '1', author_id: 'pg', embed_items: ['https://a.example/'] },
        { item_id: '2', author_id: null },
      ]);
      expect(out['interactions.csv']).toContain('u,1,like,1160418113\nv,1,hide,1160418113\n');
    });
  });

  test('MovieLens, whose films have no dates, and whose ratings are likes from four stars on', async () => {
    const files = {
      'movies.csv':
        'movieId,title,genres\n1,"American President, The (1995)",Comedy|Drama\n2,Unrated (1995),(no genres listed)\n3,Heat (1995),Crime\n',
      'ratings.csv':
        'userId,movieId,rating,timestamp\n7,1,4.0,964982703\n7,3,5,964981247\n8,3,4.5,964983000\n8,1,2.5,964980000\n',
    };
    const maps = [
      "movies.csv=items:item_id=movieId,author_id='',text=title,ai_labels=genres",
      'ratings.csv=interactions:user_id=userId,item_id=movieId,event_type=rating[5:like,>=4:like,*:skip]',
    ];
    const flags = maps.flatMap((map) => ['--map', map]);
    await imported(files, flags, ({ code, stdout }, out) => {
      expect(code).toBe(0);
      expect(stdout).toContain('ratings.csv  3 accepted (0 unchanged), 1 skipped, 0 rejected\n');
      expect(stdout).toContain('2 items without a date got the date of the first act\n');
      expect(stdout).toContain(
        '1 item without a date and without acts got the date of the first line that has one',
      );
      const dates = (lines(out['items.jsonl']) as { created_at: number }[]).map(
        ({ created_at }) => created_at,
      );
      expect(dates.toSorted()).toEqual([964981247, 964982703, 964982703]);
    });
    const dry = await run('import', folderWith(files), '--dry-run', ...flags);
    expect(dry.stdout).toContain('3 items without a date would get the date of the first act\n');
  });

  test('Reddit, whose posts have times and flags of other types, scores below 0 and deleted authors', async () => {
    const post = { created_utc: '1192450693', score: -4, stickied: 0, subreddit: 'pics', title: 'x' };
    const files = {
      'posts.jsonl': jsonl([
        { ...post, id: 'a', author: 'ann' },
        { ...post, id: 'b', author: '[deleted]' },
      ]),
    };
    const map =
      'posts.jsonl=items:item_id=id,author_id=author["[deleted]":\'\'],created_at=created_utc,likes_count=score,hidden=stickied,channel=subreddit,text=title';
    await imported(files, ['--map', map, '--strict'], (_ran, out) => {
      expect(lines(out['items.jsonl'])).toMatchObject([
        { item_id: 'a', author_id: 'ann', created_at: 1192450693, hidden: false },
        { item_id: 'b', author_id: null, created_at: 1192450693, channel: 'pics' },
      ]);
    });
  });

  test('counters of another table count likes once, and a time that the map does not name is not theirs', async () => {
    const files = {
      'posts.csv': 'id,user_id,created_at,updated_at,like_count\n1,w,2024-01-01,2024-01-01,2\n',
      'likes.csv': 'user_id,post_id,created_at\nu,1,2024-01-02\nv,1,2024-01-03\n',
    };
    const maps = [
      'posts.csv=items:item_id=id,author_id=user_id,likes_count=like_count',
      "likes.csv=interactions:item_id=post_id,timestamp=created_at,event_type='like'",
    ];
    await imported(
      files,
      maps.flatMap((map) => ['--map', map]),
      ({ stderr }, out) => {
        expect(stderr).toContain(
          'posts.csv:1: the column updated_at was ignored, because it may be no time of the counters',
        );
        const [item] = lines(out['items.jsonl']) as { likes_count?: number }[];
        expect(item.likes_count).toBe(2);
      },
    );
  });
});
