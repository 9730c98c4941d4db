import { afterAll, expect, test } from 'bun:test';
import { dirname, join } from 'node:path';
import { ended } from '../cli/run.ts';
import { withFolder } from '../interchange/support.ts';
import { killAll, startService } from '../simulation/support/service-process.ts';
import { runningExample, USUAL_RUNTIME } from '../support/example.ts';
import { environment, feedloom, REPOSITORY } from '../support/feedloom.ts';
import { blocksOf, document } from './markdown.ts';

/** The commands of docs/first-feed.md, run as they stand, and what the page says that they answer. */

const CURL = join(import.meta.dir, '../support/curl.ts');
const SERVE = 'feedloom serve --data data\n';
const OPEN_TABS = 'node app/html/server.mjs\n';

afterAll(killAll);

/** Runs a script. A call that is refused stops it. */
function run(script: string, cwd: string, settings: Record<string, string>) {
  const { PATH, ...others } = environment(settings);
  const curl = `curl() { '${process.execPath}' '${CURL}' "$@"; echo; }`;
  return Bun.spawn(['sh', '-c', `set -e\n${curl}\n${script}`], {
    cwd,
    env: { ...others, PATH: `${dirname(feedloom())}:${PATH}` },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
}

/** What a script prints. */
async function printed(script: string, cwd: string, settings: Record<string, string> = {}): Promise<string> {
  const { code, stdout, stderr } = await ended(run(script, cwd, settings));
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

const answersIn = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
/** What the example's page for a member gets: the feed and the items of each tab. */
async function tabsOf(address: string, name: string) {
  const call = async (action: string, cookie: string, body: object = {}) => {
    const init = { method: 'POST', body: JSON.stringify(body) };
    const headers = { 'content-type': 'application/json', cookie };
    const answer = await fetch(`${address}/api/${action}`, { ...init, headers });
    return { set_cookie: answer.headers.get('set-cookie') ?? '', json: JSON.parse(await answer.text()) };
  };
  const { set_cookie } = await call('sign-in', '', { name });
  const [cookie] = set_cookie.split(';');
  const { tabs } = (await call('start', cookie)).json;
  const pages = [];
  for (const { name, feed_id } of tabs) {
    const { items } = (await call('page', cookie, { feed_id })).json;
    pages.push({ name, feed_id, items: items.map(({ item_id }: { item_id: string }) => item_id) });
  }
  return pages;
}

const ids = (answer: { body: { item_id: string }[] }) => answer.body.map(({ item_id }) => item_id);

test('the way to three tabs leads from tables to an experiment', async () => {
  const scripts = blocksOf(document('docs/first-feed.md'))
    .filter(({ kind }) => kind === 'sh')
    .map(({ text }) => text);
  const served = scripts.findIndex((text) => text.endsWith(SERVE));
  await withFolder({}, async (folder) => {
    const loaded: string[] = [];
    for (const script of scripts.slice(0, served + 1))
      loaded.push(await printed(script.replace(SERVE, ''), folder));
    const [, would_be, imported] = loaded;
    for (const text of [would_be, imported]) expect(text).not.toMatch(/[1-9]\d* rejected/);
    const key = /fl_\S+/.exec(imported)![0];
    const service = await startService(join(folder, 'data'));
    const settings = { URL: service.address, KEY: `Bearer ${key}` };
    const answers = [];
    let measured = '';
    let tabs: Awaited<ReturnType<typeof tabsOf>> = [];
    for (const script of scripts.slice(served + 1)) {
      if (script.endsWith(OPEN_TABS)) {
        const command = script.replace('node ', `exec '${USUAL_RUNTIME}' `);
        await using app = await runningExample(run(command, folder, { ...settings, REPOSITORY, PORT: '0' }));
        tabs = await tabsOf(app.address, '4');
      } else if (script.includes('feedloom evaluate')) measured = await printed(script, folder);
      else answers.push(answersIn(await printed(script, folder, settings)));
    }
    expect(measured).toContain('popular');
    const [[ready], [first], , saved, [following], [seen], [, , welcome], [totals], [, experiment]] = answers;
    expect(ready).toHaveProperty('status');
    expect(ids(first)).toHaveLength(5);
    const sent_as: Record<string, string> = { t1: 'bread', t3: 'cakes' };
    for (const { item_id, metadata } of first.body) {
      expect(metadata).toHaveProperty('parent_hash', null);
      expect(metadata.root_parent_url).toBe(sent_as[item_id] ?? metadata.root_parent_url);
    }
    expect(saved.map(({ data }) => data.config_id)).toEqual(['feed_1', 'feed_2', 'feed_3']);
    // Dora follows everybody who writes.
    expect(ids(following)).toEqual(['t7', 't6', 't5', 't4', 't3', 't2', 't1']);
    const next = await printed(scripts[served + 6], folder, settings);
    const shown = [...ids(seen), ...ids(answersIn(next)[0])];
    expect(new Set(shown).size).toBe(6);
    const newest_first = ['t7', 't6', 't5', 't4', 't3', 't2', 't1'];
    expect(tabs).toEqual([
      { name: 'For you', feed_id: 'feed_1', items: expect.any(Array) },
      { name: 'Following', feed_id: 'feed_2', items: newest_first },
      { name: 'Latest', feed_id: 'feed_3', items: newest_first },
    ]);
    expect(tabs[0].items.toSorted()).toEqual(newest_first.toSorted());
    expect(tabs[0].items).not.toEqual(newest_first);
    for (const { source_feed } of welcome.body) expect(source_feed).toStartWith('cold_start:');
    expect(welcome.body.length).toBe(5);
    expect(totals.data).toMatchObject({ items: 9, follows: 4 });
    // Ann wrote t1, t4 and t7, and liked t2, t3 and t6.
    const own = await printed(
      scripts[served + 6].replace('"user_id":"4","top_k":3', '"user_id":"1","top_k":9'),
      folder,
      settings,
    );
    expect(ids(answersIn(own)[0])).toEqual(['t5']);
    expect(experiment.data).toMatchObject({ feed_id: 'feed_1', status: 'running' });
    expect(await service.stop()).toBe(0);
  });
});
