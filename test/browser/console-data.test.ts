import { beforeEach, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { withFolder, writeFiles } from '../interchange/support.ts';
import { environment, REPOSITORY } from '../support/feedloom.ts';
import { apiOf, expectAccessible, expectFits, forAll, openConsole } from './console.ts';
import { KEY, MISSING, openStage, type Stage } from './support.ts';

const EXAMPLES = join(REPOSITORY, 'test/cli/import-examples');

function filesOf(example: string): string[] {
  return readdirSync(join(EXAMPLES, example)).map((name) => join(EXAMPLES, example, name));
}

/** Lines of users, together longer than a slice of a file, with characters of several bytes. */
function manyUsers(count: number): string {
  const filler = 'é😀'.repeat(40);
  const lines = Array.from(
    { length: count },
    (_, index) => `{"user_id":"u${index}","username":"${filler}"}\n`,
  );
  return lines.join('');
}

describe.skipIf(MISSING !== '')(`the data page of the console${MISSING}`, () => {
  let stage: Stage;
  let page: Page;
  forAll(async () => {
    stage = await openStage({}, async () => {});
    return stage;
  });
  beforeEach(async () => {
    await page?.close();
    page = await openConsole(stage, '#/data');
    await page.getByRole('button', { name: 'Choose files' }).waitFor();
  });

  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const title = (name: string | RegExp) => page.getByRole('heading', { name, level: 2 }).waitFor();
  const row = (name: RegExp) => page.getByRole('row', { name }).waitFor();

  /** Chooses files by their names and contents. */
  async function choose(files: Record<string, string | Uint8Array>): Promise<void> {
    const payloads = Object.entries(files).map(([name, content]) => ({
      ...{ name, mimeType: '' },
      buffer: Buffer.from(content),
    }));
    await page.getByLabel('Files', { exact: true }).setInputFiles(payloads);
  }

  /** The record that the service has; its status if it has none. */
  async function stored(path: string) {
    const answer = await fetch(`${stage.running.address}/v2/community/${path}`, {
      headers: { authorization: `Bearer ${KEY}` },
    });
    return answer.ok ? await answer.json() : answer.status;
  }

  test('imports an export of other software by what it guesses, and marks what is not certain', async () => {
    await page.getByLabel('Files', { exact: true }).setInputFiles(filesOf('club'));
    const posts = page.getByRole('article', { name: 'Beitraege.csv', exact: true });
    await posts.getByText("Not sure: rows stay out unless it is 'Y'.").waitFor();
    expect(await posts.getByLabel('Times of created_at').inputValue()).toBe('ms');
    expect(await posts.getByLabel('Rows stay out by Gelöscht').inputValue()).toBe('N:keep,*:skip');
    await page.getByText('Left out: its name says that it is private.').waitFor();
    await page.getByRole('article', { name: 'Beitraege.csv as Interactions' }).waitFor();
    await expectFits(page);
    await expectAccessible(page);
    await press('Check only');
    await title('Checked; nothing was stored');
    // Of the acts on posts that were checked before, one is on a post that stays out.
    await page.getByText("there is no item '106' so far").waitFor();
    expect(await page.getByText("there is no item '101' so far").count()).toBe(0);
    await press('Back to the files');
    await press('Import');
    await title('Imported');
    await row(/^Beitraege\.csv as Posts 6 0 2$/);
    await row(/^Beitraege\.csv as Interactions 1 0 7$/);
    await expectAccessible(page);
    expect(await stored('items/101')).toMatchObject({ author_id: '1', created_at: 1_709_367_300 });
    expect(await stored('items/104')).toMatchObject({ author_id: null });
    expect(await stored('items/107')).toBe(404);
    expect(await stored('users/4')).toMatchObject({ username: 'spam', hidden: true });
    const { body } = await apiOf(stage).forYou({ user_id: '3', top_k: 20 });
    expect(body.map(({ item_id }) => item_id)).toContain('108');
  });

  test('reads an export by a preset, and refuses a file that does not say what is public', async () => {
    await page.getByLabel('Files', { exact: true }).setInputFiles(filesOf('gorse'));
    await page.getByLabel('How files are read').selectOption('Preset gorse');
    const items = page.getByRole('article', { name: 'items.jsonl' });
    expect(await items.getByLabel('As a map').inputValue()).toContain('hidden=IsHidden');
    await press('Check only');
    await title('Checked; nothing was stored');
    await row(/^items\.jsonl 3 0 0$/);
    await press('Back to the files');
    await choose({ 'items.jsonl': '{"ItemId":"a","Timestamp":"2024-03-02T08:15:00Z"}\n' });
    await page.getByText(/items\.jsonl has no column IsHidden, which decides who may see a row/).waitFor();
    expect(await page.getByRole('button', { name: 'Import', exact: true }).isDisabled()).toBe(true);
  });

  test('checks with the service: what it says is what the import does, and nothing is stored before', async () => {
    const many = Array.from(
      { length: 1_500 },
      (_, id) => `{"item_id":"m${id}","author_id":"a","created_at":"soon"}`,
    );
    const lines = ['{"item_id":"c1","author_id":"a","created_at":"yesterday"}', '{', '{"text":"x"}', ''];
    await choose({
      'items.jsonl': [
        ...lines,
        '{"item_id":"c2","author_id":null,"created_at":1700000000}',
        '{"item_id":"c3"}',
        ...many,
        '{"item_id":"c2","text":"later"}',
      ].join('\n'),
      'engagement.csv': 'item_id,timestamp,likes_count\nc2,1700000100,7\nc9,1700000100,7\n',
      'follows.csv': 'user_id,target_user_id\na,b\na\na,a\n"a\n',
      'users.csv': `user_id;hidden\na;Y\nb;n\nc;banned\nd;gone\n`,
    });
    // The quotes that are not closed would take the rest of the file.
    await press('Check only');
    await title(/^Checked; nothing was stored, with/);
    const faults = async () =>
      await page.getByRole('region', { name: 'Bad lines', exact: true }).getByRole('row').allInnerTexts();
    const counts = async () => await page.getByRole('table').first().getByRole('row').allInnerTexts();
    const [checked_faults, checked_counts] = [await faults(), await counts()];
    await row(
      /^items\.jsonl 1,501 1 created_at: expected seconds since 1970 as a number.*; got "yesterday"$/,
    );
    await row(/^items\.jsonl 1 2 not valid JSON/);
    await row(/^items\.jsonl 1 3 item_id: is required$/);
    await row(/^items\.jsonl 1 6 .*is required for a new item/);
    await row(/^follows\.csv 1 3 expected 2 fields as in the header; got 1$/);
    // As the command, which drops such lines with a warning.
    await row(/^follows\.csv 1 2 1$/);
    const warned = page.getByRole('region', { name: 'Warnings' });
    await warned
      .getByRole('row', {
        name: /^follows\.csv 4 target_user_id: expected another user than user_id; dropped$/,
      })
      .waitFor();
    await row(/^engagement\.csv 1 3 author_id: is required for a new item/);
    await row(/^items\.jsonl 2 1,504 0$/);
    await expectAccessible(page);
    expect(await stored('items/c2')).toBe(404);
    await press('Back to the files');
    await press('Import');
    await title(/^Imported, with/);
    expect(await faults()).toEqual(checked_faults);
    expect((await counts()).slice(1)).toEqual(checked_counts.slice(1));
    expect(await stored('items/c2')).toMatchObject({ author_id: null, text: 'later', likes_count: 7 });
    // Bodies without a good record are answered by 400.
    stage.errors.length = 0;
  });

  test('takes the files of a folder, compressed ones too, and says which it leaves out', async () => {
    await withFolder({}, async (folder) => {
      writeFiles(folder, {
        'users.jsonl': '{"user_id":"f1"}\n{"user_id":"f2"}\n',
        'follows.csv': 'user_id,target_user_id,timestamp\nf1,f2,1700000000\n',
        'engagement.csv': 'item_id,timestamp,likes_count\ng1,1700000100,7\n',
        'impressions.csv': 'user_id,item_id,timestamp\n',
        'notes.txt': 'x',
        'mystery.csv': 'a,b\n1,2\n',
        '.DS_Store': 'x',
      });
      const items = gzipSync('{"item_id":"g1","author_id":"f1","created_at":1700000000}\n');
      await Bun.write(join(folder, 'items.jsonl.gz'), items);
      await page.getByLabel('Folder').setInputFiles(folder);
      await page.getByText('impressions.csv is left out: only feedloom import reads it.').waitFor();
      await page.getByText('notes.txt is left out: neither CSV nor JSON.').waitFor();
      await page.getByRole('article', { name: 'engagement.csv' }).waitFor();
      await press('Import');
      await title('Imported');
      for (const name of ['mystery.csv', 'notes.txt']) await page.getByText(`${name} is left out`).waitFor();
    });
    expect(await stored('items/g1')).toMatchObject({ author_id: 'f1', likes_count: 7 });
    expect(await stored('users/f1')).toMatchObject({ follows: ['f2'] });
  });

  test('shows what the service noticed about lines that it stored, by file and line', async () => {
    const item = (id: number) =>
      `{"item_id":"w${id}","author_id":"w","created_at":${id === 1_100 ? 4_000_000_000 : 1_700_000_000}}\n`;
    await choose({
      'items.jsonl': Array.from({ length: 1_200 }, (_, id) => item(id)).join(''),
      'follows.csv': 'user_id,target_user_id,timestamp\nw,w1,1700000000\nw,w2,4000000000\n',
    });
    await press('Import');
    await title('Imported');
    const warnings = page.getByRole('region', { name: 'Warnings' });
    await warnings.getByRole('row', { name: /^items\.jsonl 1,101 created_at: lies ahead/ }).waitFor();
    await warnings.getByRole('row', { name: /^follows\.csv 3 timestamp: lies ahead/ }).waitFor();
    expect(await warnings.getByRole('row').count()).toBe(3);
    await expectAccessible(page);
  });

  test('reads a file as what a person says that it has', async () => {
    await choose({ 'mystery.csv': 'who,what,at\nk1,k2,1700000000\n' });
    const card = page.getByRole('article', { name: 'mystery.csv' });
    await card.getByLabel('What it has').selectOption('Interactions');
    await card.getByRole('heading', { name: 'mystery.csv' }).waitFor();
    await card.getByLabel('What it has').selectOption('Follows');
    await card.getByLabel('user_id (required)', { exact: true }).selectOption('who');
    await card.getByLabel('target_user_id (required)').selectOption('what');
    await press('Check only');
    await row(/^mystery\.csv 1 0 0$/);
    await press('Back to the files');
  });

  test('is told how to read columns in a form, and the same as one line', async () => {
    await choose({
      'feedback.jsonl':
        '{"FeedbackType":"zap","UserId":"g","ItemId":"g1","Timestamp":1700000200000,"ok":"N"}\n',
    });
    const card = page.getByRole('article', { name: 'feedback.jsonl' });
    await card.getByLabel('event_type (required)').selectOption('FeedbackType');
    await card.getByLabel('Replace texts of event_type').fill('zap:like, [');
    await card.getByText(/is not understood; expected \[from:to,from:to\]/).waitFor();
    await card.getByLabel('Replace texts of event_type').fill('zap:like');
    await card
      .getByLabel('Times of timestamp')
      .selectOption('Seconds since 1970, or dates such as 2026-11-26');
    const line = card.getByLabel('As a map');
    const text = (await line.inputValue()).replace('timestamp=Timestamp', 'timestamp=Timestamp@ms');
    await line.fill(text);
    expect(await card.getByLabel('Times of timestamp').inputValue()).toBe('ms');
    await card.getByLabel('Leave out rows by').selectOption('ok');
    await card.getByLabel('Rows stay out by ok').fill('N:skip');
    await press('Check only');
    await row(/^feedback\.jsonl 0 0 1$/);
    await press('Back to the files');
    await card.getByRole('button', { name: 'Leave out no rows by ok' }).click();
    await press('Import');
    await title('Imported');
    expect(await stored('users/g')).toMatchObject({
      interactions: [{ item_id: 'g1', event_type: 'like', timestamp: 1_700_000_200 }],
    });
  });

  test('reads columns that a person chooses by their values', async () => {
    await choose({
      'posts.csv':
        'id;user;body;kiam;shot;weg\n1;a;x;22.11.2026 19:21;2026-01-01;N\n2;b;y;23.11.2026 08:00;;Y\n',
    });
    const card = page.getByRole('article', { name: 'posts.csv' });
    await card.getByLabel('Add a field').selectOption('created_at');
    await card.getByText('Not sure: which of kiam, shot is the time is not known.').waitFor();
    await card.getByLabel('created_at', { exact: true }).selectOption('kiam');
    await card.getByText('which of kiam, shot').waitFor({ state: 'detached' });
    expect(await card.getByLabel('Times of created_at').inputValue()).toBe('dd.mm.yyyy');
    await card.getByLabel('Leave out rows by').selectOption('weg');
    expect(await card.getByLabel('Rows stay out by weg').inputValue()).toBe('N:keep,*:skip');
    await card.getByText("Not sure: rows stay out unless it is 'N' or empty.").waitFor();
    await press('Check only');
    await row(/^posts\.csv 1 0 1$/);
  });

  test('takes what is dropped on the page', async () => {
    const dropped = await page.evaluateHandle(`(() => {
      const data = new DataTransfer();
      data.items.add(new File(['{"user_id":"d1"}'], 'users.jsonl'));
      return data;
    })()`);
    await page.locator('main').dispatchEvent('drop', { dataTransfer: dropped });
    await page.getByRole('article', { name: 'users.jsonl' }).waitFor();
  });

  test('reads a large file in slices and loses no line', async () => {
    await choose({ 'users.jsonl': manyUsers(30_000) });
    await press('Check only');
    await title('Checked; nothing was stored');
    await row(/^users\.jsonl 30,000 0 0$/);
  });

  test('pauses when the network is lost, and continues without a loss', async () => {
    await choose({ 'users.jsonl': manyUsers(2_500) });
    await stage.context.setOffline(true);
    await page.getByText('There is no connection.').waitFor();
    await press('Import');
    await title('Paused');
    await page.getByText('The service does not answer.').waitFor();
    await stage.context.setOffline(false);
    await press('Try again');
    await title('Imported');
    await row(/^users\.jsonl 2,500 0 0$/);
    expect(await stored('users/u2499')).toMatchObject({ user_id: 'u2499' });
    stage.errors.length = 0;
  });

  test('goes on with an import while another page is shown', async () => {
    const held = Promise.withResolvers<void>();
    await page.route('**/v2/community/users', async (route) => {
      await held.promise;
      await route.continue();
    });
    await choose({ 'users.jsonl': manyUsers(1_500) });
    await press('Import');
    await title('Importing');
    await page.getByRole('link', { name: 'Feeds', exact: true }).click();
    await page.getByRole('heading', { name: 'Feeds', exact: true }).waitFor();
    held.resolve();
    await page.getByRole('link', { name: 'Data', exact: true }).click();
    await title('Imported');
    await row(/^users\.jsonl 1,500 0 0$/);
  });

  test('is paused and cancelled by a press', async () => {
    const held = Promise.withResolvers<void>();
    await page.route('**/v2/community/users', async (route) => {
      await held.promise;
      await route.abort();
    });
    await choose({ 'users.jsonl': manyUsers(5_000) });
    await press('Import');
    await press('Pause');
    await title('Paused');
    await press('Continue');
    await title('Importing');
    await press('Cancel');
    await title('Cancelled. What was stored stays');
    held.resolve();
    await press('Back to the files');
    await page.getByRole('article', { name: 'users.jsonl' }).waitFor();
    stage.errors.length = 0;
  });

  test('exports all feeds in a file that the command imports, and shows the command for the rest', async () => {
    for (const name of ['First', 'Second'])
      await apiOf(stage).createFeed({ name, endpoint: 'feeds/popular', config: {} });
    // One feed in each answer, as if there were more than one answer can list.
    await page.route('**/api/feed/configs', (route) =>
      route.fallback({ postData: { ...route.request().postDataJSON(), limit: 1 } }),
    );
    const [download] = await Promise.all([page.waitForEvent('download'), press('Download feeds.jsonl')]);
    await withFolder({}, async (folder) => {
      await download.saveAs(join(folder, 'in', 'feeds.jsonl'));
      const lines = readFileSync(join(folder, 'in', 'feeds.jsonl'), 'utf8')
        .trim()
        .split('\n');
      expect(lines.map((line) => JSON.parse(line).name)).toEqual(['Second', 'First']);
      const command = [process.execPath, join(REPOSITORY, 'src/main.ts'), 'import', 'in', '--data', 'data'];
      const imported = Bun.spawnSync(command, { cwd: folder, env: environment() });
      expect({ code: imported.exitCode, output: imported.stderr.toString() }).toMatchObject({ code: 0 });
    });
    await page.getByRole('region', { name: 'Command for an export' }).waitFor();
  });
});
