import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { folderWith, jsonl } from '../interchange/support.ts';
import { imported, lines } from './import-support.ts';
import { run } from './run.ts';

describe('import --map', () => {
  test('import --map converts the cells of a CSV file to numbers, flags, lists and JSON by their field', async () => {
    const header =
      'item_id,author_id,created_at,likes_count,updated_at,hidden,embed_items,ai_labels,metadata';
    const rows = [
      '1,7,1000,12,2000,t,"[""https://a.example/1""]","{""topics"":[""a""]}","{""n"":1}"',
      '2,,1500.5,,,0,https://a.example/1|https://b.example/2,a|b,',
    ];
    await imported(
      { 'posts.csv': `${[header, ...rows].join('\n')}\n` },
      ['--map', 'posts.csv=items:updated_at=updated_at'],
      (ran, out) => {
        expect(ran.stderr).not.toMatch(/posts\.csv:\d+: (?!\w+: a time is in 1970)/);
        const [one, two] = lines(out['items.jsonl']);
        expect(one).toMatchObject({ item_id: '1', author_id: '7', created_at: 1000, hidden: true });
        expect(one).toMatchObject({
          embed_items: ['https://a.example/1'],
          ai_labels: { a: 1 },
          metadata: { n: 1 },
        });
        expect(two).toMatchObject({ item_id: '2', author_id: null, created_at: 1500.5 });
        expect(two).toMatchObject({ embed_domains: ['a.example', 'b.example'], ai_labels: { a: 1, b: 1 } });
        expect(one).toMatchObject({ likes_count: 12, updated_at: 2000 });
      },
    );
  });

  test('import --map reads unnamed columns by their own names, and names ignored ones', async () => {
    const files = { 'people.csv': 'id,user_id,username,karma\n1,9,ann,5\n' };
    await imported(files, ['--map', 'people.csv=users:user_id=id'], (ran, out) => {
      expect(lines(out['users.jsonl'])).toMatchObject([{ user_id: '1', username: 'ann' }]);
      expect(ran.stderr).toContain("people.csv:1: unknown field 'user_id' was ignored\n");
      expect(ran.stderr).toContain("people.csv:1: unknown field 'karma' was ignored\n");
    });
  });

  test('import --map fills fields with texts, replaces texts of a column, and reads one file as two kinds', async () => {
    const acts = '"who, id",what,on,at\nu,star,a,2000\nv,like,a,3000\n';
    const maps = [
      `acts.csv=interactions:user_id="who, id",event_type=what[star:bookmark],item_id=on,timestamp=at`,
      `acts.csv=follows:user_id="who, id",target_user_id='it''s me',timestamp=at`,
    ];
    await imported(
      { 'acts.csv.gz': acts },
      maps.flatMap((map) => ['--map', map]),
      (_ran, out) => {
        expect(out['interactions.csv']).toContain('u,a,bookmark,2000');
        expect(out['interactions.csv']).toContain('v,a,like,3000');
        expect(out['follows.csv']).toContain("u,it's me,2000");
      },
    );
  });

  test('import --map renames the fields of JSON lines', async () => {
    const files = { 'posts.ndjson': jsonl([{ id: 5, owner: null, at: 1000, text: 'x', item_id: 'no' }]) };
    const map = 'posts.ndjson=items:item_id=id,author_id=owner,created_at=at';
    await imported(files, ['--map', map], (_ran, out) => {
      expect(lines(out['items.jsonl'])).toMatchObject([{ item_id: '5', author_id: null, created_at: 1000 }]);
    });
  });

  test('import --map leaves an item undescribed whose mapped line was rejected, and keeps its hidden', async () => {
    const bad_time = '9999999999999';
    const posts = `id,at,gone,text\n1,${bad_time},t,x\n2,1000,t,one,two\n3,1000,f,x\n`;
    const shop = jsonl([
      { ItemId: 4, IsHidden: true, Timestamp: bad_time },
      { ItemId: 5, IsHidden: false, Timestamp: bad_time },
      { ItemId: 5, IsHidden: false, Timestamp: 1000 },
    ]);
    const acts = [1, 2, 3, 4, 5, 6].map((item) => `u,${item},like,2000\n`).join('');
    const files = {
      'posts.csv': posts,
      'shop.jsonl': shop,
      'interactions.csv': `user_id,item_id,event_type,timestamp\n${acts}`,
    };
    const maps = [
      "posts.csv=items:item_id=id,author_id='w',created_at=at,hidden=gone",
      "shop.jsonl=items:item_id=ItemId,author_id='',created_at=Timestamp,hidden=IsHidden",
    ];
    const flags = maps.flatMap((map) => ['--map', map]);
    await imported(files, flags, (ran, out) => {
      expect(ran.stdout).toContain('posts.csv         1 accepted (0 unchanged), 2 rejected\n');
      const described = (lines(out['items.jsonl']) as { item_id: string; created_at: number | null }[])
        .filter(({ created_at }) => created_at !== null)
        .map(({ item_id }) => item_id);
      expect(described.sort()).toEqual(['3', '5', '6']);
    });
  });

  test('import --map leaves rows out, counts them apart, and publishes nothing by acts on their items', async () => {
    const files = {
      'posts.csv':
        'id,by,at,text,gone,state\n1,w,1000,one,,ok\n2,w,1000,two,2020-01-01,ok\n3,w,1000,three,,spam\n4,,bad,four,,ok\n',
      'posts.jsonl': jsonl([
        { id: 5, at: 1000, state: 'spam' },
        { id: 6, at: 1000, state: 'ok' },
      ]),
      'acts.csv': `who,on,stars\n${[1, 2, 3, 4, 5, 6, 7].map((id) => `u,${id},5\nv,${id},2\n`).join('')}`,
    };
    const maps = [
      "posts.csv=items:item_id=id,author_id=by,created_at=at,language=state[spam:skip,ok:''],skip=gone[*:skip]",
      "posts.jsonl=items:item_id=id,author_id='',created_at=at,skip=state[spam:skip]",
      "acts.csv=interactions:user_id=who,item_id=on,timestamp='2000',event_type=stars[>=4:like,*:skip]",
    ];
    const flags = [...maps.flatMap((map) => ['--map', map]), '--strict'];
    const strict = await run(
      'import',
      folderWith({ ...files, 'posts.csv': files['posts.csv'].replace('bad', '9') }),
      '--dry-run',
      ...flags.slice(0, 2),
      '--strict',
    );
    expect(strict.stdout).toContain('posts.csv as items: 2 would be accepted, 2 skipped, 0 rejected');
    await imported(files, flags.slice(0, -1), (ran, out) => {
      expect(ran.stdout).toContain('posts.csv    1 accepted (0 unchanged), 2 skipped, 1 rejected\n');
      expect(ran.stdout).toContain('acts.csv     7 accepted (0 unchanged), 7 skipped, 0 rejected\n');
      const described = (lines(out['items.jsonl']) as { item_id: string; created_at: number | null }[])
        .filter(({ created_at }) => created_at !== null)
        .map(({ item_id }) => item_id);
      expect(described.sort()).toEqual(['1', '6', '7']);
      expect(out['interactions.csv'].match(/^v,/gm)).toBeNull();
    });
  });

  test('import --map-file reads maps from a file, one a line', async () => {
    const files = { 'people.csv': 'id\n1\n', 'likes.csv': 'who,what,at\n1,a,1700000000500\n' };
    const maps = folderWith({
      good: "# people\npeople=users:user_id=id\n\nlikes.csv=interactions:user_id=who,item_id=what,timestamp=at@ms,event_type='like'\n",
      bad: 'people.csv=users\npeople.csv=users:id=id\n',
    });
    await imported(files, ['--map-file', join(maps, 'good')], (_ran, out) => {
      expect(out['users.jsonl']).toContain('"user_id":"1"');
      expect(out['interactions.csv']).toEndWith('1,a,like,1700000000.5\n');
    });
    const refused = await run('import', folderWith(files), '--map-file', join(maps, 'bad'));
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining("bad: line 2: users have no field 'id'"),
    ]);
    const absent = await run('import', folderWith(files), '--map-file', join(maps, 'none'));
    expect([absent.code, absent.stderr]).toEqual([2, expect.stringContaining('none cannot be read')]);
  });

  test('import --null reads texts as absent values, and a warning names it where one is probably missing', async () => {
    const files = {
      'posts.csv': 'id,author,parent,at\n1,\\N,NULL,1000\n2,none,NULL,1000\n3,x,1,1000\n',
      'items.jsonl': jsonl([{ item_id: 4, author_id: 'NULL', created_at: 1000 }]),
    };
    const map = 'posts.csv=items:item_id=id,author_id=author,parent_item_id=parent,created_at=at';
    const flags = ['--map', map];
    const warning = 'parent_item_id: NULL is read as a text; --null NULL reads it as no value';
    await imported(files, flags, ({ stderr }) => {
      expect(stderr).toContain(`posts.csv:2: ${warning}\n`);
      expect(stderr).toContain(`posts.csv: 2 lines: ${warning}\n`);
      expect(stderr).toContain('posts.csv:3: author_id: none is read as a text');
    });
    await imported(files, [...flags, '--null', 'NULL', '--null', 'none'], ({ stderr }, out) => {
      expect(stderr).not.toContain('is read as a text');
      const items = lines(out['items.jsonl']) as { item_id: string; author_id: unknown }[];
      const authors = Object.fromEntries(items.map(({ item_id, author_id }) => [item_id, author_id]));
      expect(authors).toEqual({ 1: null, 2: null, 3: 'x', 4: null });
      expect(out['items.jsonl'].match(/"parent_item_id":"1"/g)).toHaveLength(1);
      expect(out['items.jsonl'].match(/"parent_item_id"/g)).toHaveLength(1);
    });
  });

  test('import --map wins over the name of an interchange file, which is read once', async () => {
    const files = { 'follows.csv': 'a,b\nu,v\n' };
    await imported(files, ['--map', 'follows.csv=blocks:user_id=a,target_user_id=b'], (ran, out) => {
      expect(ran.stdout).toStartWith('follows.csv  1 accepted');
      expect(Object.keys(out)).not.toContain('follows.csv');
      expect(out['blocks.csv']).toContain('u,v');
    });
  });

  test.each([
    ['posts.csv', "expected FILE=kind:field=column,field='text for all lines'"],
    ['posts.csv=post:item_id=id', "there is no kind 'post'; expected one of users, items, follows"],
    ['posts.txt=items:item_id=id', 'expected a file that ends with .csv, .tsv, .jsonl, .ndjson, .json'],
    [
      'posts.csv=items:id=item_id',
      "items have no field 'id'; expected one of item_id, author_id, created_at",
    ],
    ['posts.csv=items:item_id=id,item_id=no', "the field 'item_id' is given twice"],
    ['posts.csv=items:item_id', "'item_id' is not understood"],
    ["posts.csv=items:item_id='a", 'is not understood'],
    ['posts.csv=items:item_id=id[a]', "'a' is not understood; expected [from:to,from:to]"],
    ['absent.csv=items', "there is no 'absent.csv' in"],
    [
      'posts.csv=items:item_id=ID',
      "--map asks for the column ID; found id, text (a text for all lines is written 'ID'",
    ],
    [
      'posts.csv=items',
      'expected the columns item_id; item_id missing; found id, text; feedloom import --map renames columns [unreadable_file]',
    ],
  ])('import --map refuses %s and says what is allowed', async (map, message) => {
    await imported({ 'posts.csv': 'id,text\n1,x\n' }, ['--map', map], ({ code, stderr }, out) => {
      expect(stderr).toContain(message);
      expect([code, out]).toEqual([2, {}]);
    });
  });
});
