import { describe, expect, test } from 'bun:test';
import { LIMITS } from '../../src/limits.ts';
import { newAccount } from '../http/config-support.ts';
import { type Fields, KEY } from '../http/support.ts';
import { temporaryFolder } from '../support/folder.ts';
import { testLab as it, type Lab, LEFT, openLab } from './support.ts';

const CONFIG = '/api/feed/config';

/** Shows the items of the left channel by the feed of the right one. */
const TO_LEFT = { config: { filters: { channels: [LEFT] }, show_interacted_items: true } };

/** All viewers in the variant of another feed. */
const others = (feed_id: string, other: string): Fields => ({
  variants: [
    { name: 'control', feed_id, percent: 0 },
    { name: 'other', feed_id: other, percent: 100 },
  ],
});

async function begin(lab: Lab): Promise<{ left: string; right: string; id: string }> {
  await lab.items(2);
  const { left, right } = await lab.feeds();
  return { left, right, id: await lab.start(left, right, others(left, right)) };
}

/** Which items a viewer of the feed gets, and by which variant. */
async function shown(lab: Lab, feed_id: string): Promise<[string | undefined, string]> {
  const { body } = await lab.ask('popular', { feed_id, user_id: 'viewer' });
  return [body.experiment?.variant, body.body[0].item_id.split('-')[0]];
}

async function warningsOf(lab: Lab, feed_id: string, fields: Fields): Promise<string[] | undefined> {
  const { status, body } = await lab.account.patch({ config_id: feed_id, ...fields });
  expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined });
  return body.warnings;
}

describe('the feed of a running variant', () => {
  it('is served with the revision that its period began with, and a change of it is warned of', async (lab) => {
    const { left, right, id } = await begin(lab);
    expect((await lab.data(id)).pinned).toEqual({ [left]: 1, [right]: 1 });
    const warnings = await warningsOf(lab, right, TO_LEFT);
    expect(warnings).toEqual([
      `the viewers of 'other' in the running experiment '${id}' still get revision 1 of this feed; PATCH /api/experiments/${id} with {"repin": true} takes the current one and begins a new period`,
    ]);
    expect(await shown(lab, left)).toEqual(['other', 'right']);
    expect(await shown(lab, right)).toEqual([undefined, 'left']);
  });

  it('is served with its current revision after repinning, in a new period', async (lab) => {
    const { left, right, id } = await begin(lab);
    await warningsOf(lab, right, TO_LEFT);
    await lab.page('popular', { feed_id: left, user_id: 'viewer', impression_count: 2 });
    lab.server.clock.advance(60);
    const saved = await lab.change(id, { repin: true });
    expect(saved).toMatchObject({ period: 2, period_started_at: lab.now, pinned: { [left]: 1, [right]: 2 } });
    expect(await shown(lab, left)).toEqual(['other', 'left']);
    const { results, ended_periods } = await lab.data(id);
    expect(results.variants[1].viewers).toBe(0);
    expect(ended_periods[0].variants[1].viewers).toBe(1);
    expect(await warningsOf(lab, left, { name: 'Renamed' })).toEqual([expect.stringContaining(`'${id}'`)]);
  });

  it('is the control, too, while viewers without a variant get the feed as it is now', async (lab) => {
    await lab.items(2);
    const { left, right } = await lab.feeds();
    const id = await lab.start(right, left, {
      variants: [
        { name: 'control', feed_id: right, percent: 100 },
        { name: 'other', feed_id: left, percent: 0 },
      ],
    });
    await warningsOf(lab, right, TO_LEFT);
    expect(await shown(lab, right)).toEqual(['control', 'right']);
    await lab.change(id, { variants: [{ name: 'control', percent: 0 }] });
    expect(await shown(lab, right)).toEqual([undefined, 'left']);
  });

  it('is not built while it is inactive or deleted, and then is as it was', async (lab) => {
    const { left, right, id } = await begin(lab);
    const inactive = await warningsOf(lab, right, { ...TO_LEFT, status: 'inactive' });
    expect(inactive).toEqual([
      `the viewers of 'other' in the running experiment '${id}' get the feed '${left}' itself and are not counted now`,
    ]);
    expect(await shown(lab, left)).toEqual([undefined, 'left']);
    await warningsOf(lab, right, { status: 'active' });
    expect(await shown(lab, left)).toEqual(['other', 'right']);
    await lab.account.remove(right);
    expect(await shown(lab, left)).toEqual([undefined, 'left']);
    const faults = await lab.call('PATCH', `/${id}`, { repin: true });
    expect([faults.status, faults.body.errors[0].path]).toEqual([400, '/variants/1/feed_id']);
    const restored = await lab.server.call('POST', `${CONFIG}/restore?config_id=${right}`, undefined, KEY);
    expect([restored.status, restored.body.warnings?.length]).toEqual([200, 1]);
    expect(await shown(lab, left)).toEqual(['other', 'right']);
  });

  it('is free of warnings when the experiment is stopped, and when another account’s experiment runs', async (lab) => {
    const { left, right, id } = await begin(lab);
    await lab.change(id, { status: 'stopped' });
    expect((await lab.data(id)).pinned).toBeUndefined();
    expect(await warningsOf(lab, right, { name: 'Again' })).toBeUndefined();
    const other = await newAccount(lab.server, 'other');
    const own = await other.add({ endpoint: 'feeds/popular' });
    await lab.account.set(left, { visibility: 'public' });
    const headers = { authorization: '', ...other.headers };
    const made = await lab.call('POST', '', { name: 'Foreign', feed_id: own, ...others(own, left) }, headers);
    expect(made.status).toBe(201);
    expect(await warningsOf(lab, left, TO_LEFT)).toBeUndefined();
  });

  it('takes its current revision when the experiment starts again', async (lab) => {
    const { left, right, id } = await begin(lab);
    await lab.change(id, { status: 'stopped' });
    await warningsOf(lab, right, TO_LEFT);
    await lab.change(id, { status: 'running' });
    expect(await shown(lab, left)).toEqual(['other', 'left']);
  });

  it('keeps its pinned revision however often it is changed, until it is repinned', async (lab) => {
    const { left, right, id } = await begin(lab);
    await warningsOf(lab, right, TO_LEFT);
    for (let count = 0; count <= LIMITS.feed_revisions_latest; count++)
      await lab.account.set(right, { description: `${count}` });
    const revision = async (number: number) => {
      const path = `${CONFIG}/revisions/${number}?config_id=${right}`;
      return (await lab.server.call('GET', path, undefined, KEY)).status;
    };
    expect([await revision(1), await revision(2)]).toEqual([200, 404]);
    expect(await shown(lab, left)).toEqual(['other', 'right']);
    await lab.change(id, { repin: true });
    expect(await shown(lab, left)).toEqual(['other', 'left']);
  });

  it('is not repinned while the experiment is stopped, or when it stops', async (lab) => {
    const { id } = await begin(lab);
    const faults = async (body: Fields) => {
      const answer = await lab.call('PATCH', `/${id}`, body);
      return [answer.status, answer.body.errors?.map(({ path }: Fields) => path)];
    };
    expect(await faults({ repin: true, status: 'stopped' })).toEqual([400, ['/repin']]);
    expect(await faults({ repin: 'yes' })).toEqual([400, ['/repin']]);
    await lab.change(id, { status: 'stopped' });
    expect(await faults({ repin: true })).toEqual([400, ['/repin']]);
    expect(await lab.change(id, { repin: false })).toMatchObject({ revision: 2, status: 'stopped' });
  });
});

test('pinned revisions are served after a restart', async () => {
  const data = temporaryFolder('pinned');
  let lab = await openLab({ data });
  try {
    const { left, right, id } = await begin(lab);
    await warningsOf(lab, right, TO_LEFT);
    await lab.server.close();
    lab = await openLab({ data, clock: lab.server.clock });
    expect(await shown(lab, left)).toEqual(['other', 'right']);
    expect((await lab.data(id)).pinned).toEqual({ [left]: 1, [right]: 1 });
  } finally {
    await lab.server.close();
  }
});
