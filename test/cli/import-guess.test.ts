import { afterAll, describe, expect, test } from 'bun:test';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseMaps } from '../../src/mapping/parse-map.ts';
import { API_KEY, killAll, startService } from '../simulation/support/service-process.ts';
import { REPOSITORY } from '../support/feedloom.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runIn } from './run.ts';

/** The export of a club's forum: semicolons, days with dots, milliseconds, Y and N, HTML. */
const CLUB = join(REPOSITORY, 'test', 'cli', 'import-examples', 'club');

afterAll(killAll);

function clubFolder(): string {
  const folder = temporaryFolder('guess');
  cpSync(CLUB, join(folder, 'club'), { recursive: true });
  return folder;
}

describe('feedloom import --guess', () => {
  test('prints maps, names what is not certain, and shows what would happen without storing it', async () => {
    const folder = clubFolder();
    const { code, stdout, stderr } = await runIn(folder, 'import', 'club', '--guess', '--data', 'data');
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout).toContain(
      "# not sure: skip=Freigegeben: rows stay out unless it is 'Y'\n# not sure: skip=Gelöscht: rows stay out unless it is 'N' or empty\nBeitraege.csv=items:item_id=PostNr,author_id=poster['[deleted]':''],created_at=when@ms,text=Inhalt,text_format='html',channel=Board,parent_item_id=Antwort auf,skip=Freigegeben[Y:keep,*:skip,'':skip],skip=Gelöscht[N:keep,*:skip]\n",
    );
    expect(stdout).toContain('# left out: privmsgs.csv: its name says that it is private\n');
    expect(parseMaps(stdout).map(({ file, kind }) => `${file} ${kind}`)).toEqual([
      ...['Beitraege.csv items', 'Beitraege.csv interactions', 'Mitglieder.csv users'],
      ...['bewertungen.csv interactions', 'follows.csv follows', 'likes.csv interactions'],
    ]);
    expect(stderr).toContain('Beitraege.csv as items: 6 would be accepted, 2 skipped, 0 rejected');
    expect(stderr).toContain('This was a dry run: nothing has been imported.');
  });

  test.each([
    [
      'with --yes',
      async (folder: string) => runIn(folder, 'import', 'club', '--guess', '--yes', '--data', 'data'),
    ],
    [
      'with the printed lines as a file of maps',
      async (folder: string) => {
        const { stdout } = await runIn(folder, 'import', 'club', '--guess');
        writeFileSync(join(folder, 'maps.txt'), stdout);
        return runIn(folder, 'import', 'club', '--map-file', 'maps.txt', '--data', 'data');
      },
    ],
  ])('imports %s, up to pages for a person', async (_, work) => {
    const folder = clubFolder();
    const imported = await work(folder);
    expect(imported).toMatchObject({ code: 0 });
    expect(imported.stdout).toMatch(/Beitraege\.csv +6 accepted \(0 unchanged\), 2 skipped, 0 rejected/);
    const service = await startService(join(folder, 'data'));
    const answer = await fetch(`${service.address}/v2/community/feeds/for-you`, {
      method: 'POST',
      headers: { 'x-api-key': API_KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ user_id: '2', top_k: 20, return_metadata: true, explain: true }),
    });
    const page = (await answer.json()) as { body: { item_id: string }[] };
    await service.stop();
    const ids = page.body.map(({ item_id }) => item_id).sort();
    // What it liked, and what is not public, is not there.
    expect(ids).toEqual(['102', '103', '104']);
    expect(JSON.stringify(page)).not.toContain('secret');
    await runIn(folder, 'export', 'out', '--data', 'data');
    const out = (name: string) => readFileSync(join(folder, 'out', name), 'utf8');
    expect(out('interactions.csv')).toMatch(/^3,101,comment,/m);
    expect(out('interactions.csv')).toMatch(/^2,108,like,/m);
    expect(out('interactions.csv')).not.toMatch(/^3,108/m);
    expect(out('users.jsonl')).toContain('"username":"spam","created_at":1701774000,"hidden":true');
    expect(out('items.jsonl')).not.toMatch(/secret: (gelöscht|nicht)/);
  });

  test('hides users whom any column hides, and finds fields that few rows have', async () => {
    const folder = temporaryFolder('guess');
    const post = (id: number) => ({
      id,
      user_id: (id % 3) + 1,
      created_at: 1764000000 + id,
      text: `post ${id}`,
    });
    const posts = Array.from({ length: 1_500 }, (_, id) =>
      id === 1_400 ? { ...post(id), deleted: true } : post(id),
    );
    writeFileSync(join(folder, 'posts.jsonl'), posts.map((each) => JSON.stringify(each)).join('\n'));
    writeFileSync(join(folder, 'likes.csv'), 'user_id,post_id,created_at\n1,1400,1764009999\n');
    writeFileSync(
      join(folder, 'users.csv'),
      'id,name,suspended,deleted_at\n1,ann,f,\n2,bob,f,2026-01-01\n3,carl,t,\n',
    );
    expect(await runIn(folder, 'import', '.', '--guess', '--yes', '--data', 'data')).toMatchObject({
      code: 0,
    });
    await runIn(folder, 'export', 'out', '--data', 'data');
    const users = readFileSync(join(folder, 'out', 'users.jsonl'), 'utf8')
      .trim()
      .split('\n');
    expect(
      users
        .map((line) => JSON.parse(line))
        .map(({ user_id, hidden = false }) => [user_id, hidden])
        .sort(),
    ).toEqual([
      ['1', false],
      ['2', true],
      ['3', true],
    ]);
    expect(readFileSync(join(folder, 'out', 'items.jsonl'), 'utf8')).not.toContain('post 1400');
  });

  test('stops before all posts get one date, unless acts date them or somebody gives the maps', async () => {
    const folder = temporaryFolder('guess');
    mkdirSync(join(folder, 'in'));
    writeFileSync(join(folder, 'in', 'posts.csv'), 'id,user,text\n1,a,x\n2,b,y\n');
    const guessed = () => runIn(folder, 'import', 'in', '--guess', '--yes', '--data', 'data');
    const { code, stderr } = await guessed();
    expect(code).toBe(2);
    expect(stderr).toContain(
      'no column of posts.csv has times, and there are no acts: all its posts would get one date',
    );
    const { stdout } = await runIn(folder, 'import', 'in', '--guess');
    writeFileSync(join(folder, 'maps.txt'), stdout);
    const by_maps = await runIn(folder, 'import', 'in', '--map-file', 'maps.txt', '--data', 'data');
    expect(by_maps).toMatchObject({ code: 0 });
    writeFileSync(join(folder, 'in', 'likes.csv'), 'user,post,date\nb,1,2026-01-01\na,2,2026-01-02\n');
    expect(await guessed()).toMatchObject({ code: 0 });
  });

  test('reads interchange files as they are, and fails if nothing can be read', async () => {
    const folder = temporaryFolder('guess');
    writeFileSync(join(folder, 'users.jsonl'), '{"user_id":"a"}\n');
    expect(await runIn(folder, 'import', '.', '--guess')).toMatchObject({ code: 0, stdout: '\n' });
    writeFileSync(join(folder, 'users.jsonl'), '');
    writeFileSync(join(folder, 'log.csv'), 'level,line\n1,x\n');
    const { code, stdout } = await runIn(folder, 'import', '.', '--guess');
    expect(code).toBe(2);
    expect(stdout).toContain('# left out: log.csv: neither its name nor its columns say what its lines are');
  });
});
