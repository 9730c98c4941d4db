import { describe, expect } from 'bun:test';
import { halves, testLab as it } from '../../experiments/support.ts';
import { newAccount } from '../config-support.ts';

describe('POST /api/experiments', () => {
  it('a new experiment is answered with 201, its id and its fields', async (lab) => {
    const { left, right } = await lab.feeds();
    const { status, body, headers } = await lab.call('POST', '', { ...halves(left, right), metric: 'like' });
    expect({ status, message: body.message }).toEqual({ status: 201, message: "experiment 'exp_1' created" });
    expect(headers.get('etag')).toBe('"1"');
    expect(body.data).toMatchObject({
      ...halves(left, right),
      ...{ experiment_id: 'exp_1', metric: 'like', attribution_hours: 24, status: 'running' },
      ...{ period: 1, revision: 1, created_at: lab.now, updated_at: lab.now },
    });
    expect(body.warnings).toBeUndefined();
  });

  it('a feed with a running experiment is refused with 409 before anything else is checked', async (lab) => {
    const { left, right } = await lab.feeds();
    await lab.start(left, right);
    const { status, body } = await lab.call('POST', '', { feed_id: left, name: 7, variants: 'none' });
    expect([status, body.code]).toEqual([409, 'experiment_running']);
    expect(body.detail).toContain('exp_1');
    await lab.start(right, left);
  });

  it('every fault of the body is listed with its path', async (lab) => {
    const { left, right } = await lab.feeds();
    const other_type = await lab.account.add({ endpoint: 'feeds/trending' });
    const faultsOf = async (fields: object): Promise<string[]> => {
      const { status, body } = await lab.call('POST', '', { ...halves(left, right), ...fields });
      expect([status, body.code]).toEqual([400, 'invalid_value']);
      return body.errors.map(({ path }: { path: string }) => path);
    };
    const variant = (fields: object) => ({ name: 'control', feed_id: left, percent: 10, ...fields });
    expect(await faultsOf({ name: '', metric: 'clicks', attribution_hours: 0.5 })).toEqual([
      '/name',
      '/metric',
      '/attribution_hours',
    ]);
    for (const name of ['a\nb', 'a\u001b[2Jb', 'a\u009bb', 'a\u202eb', 'a\u2028b', '\ud83d']) {
      expect(await faultsOf({ name })).toEqual(['/name']);
      expect(await faultsOf({ variants: [variant({}), variant({ name })] })).toEqual(['/variants/1/name']);
    }
    expect(await faultsOf({ variants: undefined, feed_id: null })).toEqual(['/feed_id', '/variants']);
    expect(await faultsOf({ variants: [variant({})] })).toEqual(['/variants']);
    expect(await faultsOf({ variants: [variant({}), variant({})] })).toEqual(['/variants/1/name']);
    for (const percent of [-1, 100.1, Number.NaN, '50', null])
      expect(await faultsOf({ variants: [variant({}), variant({ name: 'b', percent })] })).toEqual([
        '/variants/1/percent',
      ]);
    const too_much = [variant({ percent: 60 }), variant({ name: 'b', percent: 50 })];
    expect(await faultsOf({ variants: too_much })).toEqual(['/variants']);
    const unknown = [variant({}), variant({ name: 'b', feed_id: 'feed_99' }), 7];
    expect(await faultsOf({ variants: unknown })).toEqual(['/variants/2']);
    expect(await faultsOf({ variants: unknown.slice(0, 2) })).toEqual(['/variants/1/feed_id']);
    const of_type = [variant({}), variant({ name: 'b', feed_id: other_type })];
    expect(await faultsOf({ variants: of_type })).toEqual(['/variants/1/feed_id']);
    await lab.account.set(right, { status: 'inactive' });
    expect(await faultsOf({})).toEqual(['/variants/1/feed_id']);
    expect((await lab.call('GET')).body.data).toEqual([]);
  });

  it('unknown fields are ignored and named in warnings', async (lab) => {
    const { left, right } = await lab.feeds();
    const { status, body } = await lab.call('POST', '', { ...halves(left, right), colour: 'red' });
    expect([status, body.warnings]).toEqual([201, ["unknown field 'colour' was ignored"]]);
  });

  it('only the owner of a feed may experiment with it', async (lab) => {
    const { left, right } = await lab.feeds();
    const open = await lab.account.add({ endpoint: 'feeds/popular', visibility: 'public' });
    const other = await newAccount(lab.server, 'other');
    const post = (feed_id: string) => lab.call('POST', '', halves(feed_id, right), forAccount(other.headers));
    expect(statusOf(await post(left))).toEqual([404, 'not_found']);
    expect(statusOf(await post(open))).toEqual([403, 'forbidden']);
    expect(statusOf(await post('feed_99'))).toEqual([404, 'not_found']);
  });

  it('at most 20 experiments of an account run at a time, whatever other accounts run', async (lab) => {
    const feeds = [];
    for (let count = 0; count < 21; count++) feeds.push(await lab.account.add({ endpoint: 'feeds/popular' }));
    for (const feed of feeds.slice(0, 20)) await lab.start(feed, feeds[0]);
    const refused = await lab.call('POST', '', halves(feeds[20], feeds[0]));
    expect(statusOf(refused)).toEqual([403, 'quota_exceeded']);
    expect(refused.body.detail).toStartWith("20 experiments of the account 'default' are running");
    const other = await newAccount(lab.server, 'other');
    const feed = await other.add({ endpoint: 'feeds/popular' });
    const body = halves(feed, feed);
    expect((await lab.call('POST', '', body, forAccount(other.headers))).body.data.experiment_id).toBe(
      'exp_21',
    );
    await lab.change('exp_3', { status: 'stopped' });
    expect(await lab.start(feeds[20], feeds[0])).toBe('exp_22');
    const again = await lab.call('PATCH', '/exp_3', { status: 'running' });
    expect(statusOf(again)).toEqual([403, 'quota_exceeded']);
  });

  it('an account has at most 200 experiments, running or stopped', async (lab) => {
    const { left, right } = await lab.feeds();
    for (let count = 0; count < 200; count++) {
      await lab.change(await lab.start(left, right), { status: 'stopped' });
    }
    expect(statusOf(await lab.call('POST', '', halves(left, right)))).toEqual([403, 'quota_exceeded']);
    await lab.call('DELETE', '/exp_7');
    expect(await lab.start(left, right)).toBe('exp_201');
  });
});

const CALLS = [
  ['POST', ''],
  ['GET', ''],
  ['GET', '/exp_1'],
  ['PATCH', '/exp_1'],
  ['DELETE', '/exp_1'],
  ['GET', '/exp_1/viewers.csv'],
] as const;

/** Headers of another account. An empty `authorization` counts as absent. */
function forAccount(headers: Record<string, string>): Record<string, string> {
  return { authorization: '', ...headers };
}

function statusOf({ status, body }: { status: number; body: { code: string } }): [number, string] {
  return [status, body.code];
}

describe('/api/experiments/<id>', () => {
  it('experiments are listed newest first, and only to their account', async (lab) => {
    const { left, right } = await lab.feeds();
    await lab.start(left, right);
    await lab.start(right, left);
    const ids = async (headers = {}) =>
      (await lab.call('GET', '', undefined, headers)).body.data.map(
        (each: { experiment_id: string }) => each.experiment_id,
      );
    expect(await ids()).toEqual(['exp_2', 'exp_1']);
    const other = await newAccount(lab.server, 'other');
    expect(await ids(forAccount(other.headers))).toEqual([]);
    for (const [method, path] of CALLS.slice(2)) {
      const body = method === 'PATCH' ? {} : undefined;
      expect(statusOf(await lab.call(method, path, body, forAccount(other.headers)))).toEqual([
        404,
        'not_found',
      ]);
      expect(statusOf(await lab.call(method, path.replace('exp_1', 'exp_99'), body))).toEqual([
        404,
        'not_found',
      ]);
    }
  });

  it('a change needs the revision of If-Match, if there is one', async (lab) => {
    const { left, right } = await lab.feeds();
    await lab.start(left, right);
    const renamed = await lab.call('PATCH', '/exp_1', { name: 'Again' }, { 'if-match': '"1"' });
    expect([renamed.status, renamed.body.data.name, renamed.headers.get('etag')]).toEqual([
      200,
      'Again',
      '"2"',
    ]);
    expect(renamed.body.data.period).toBe(1);
    for (const method of ['PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { name: 'Late' } : undefined;
      expect(statusOf(await lab.call(method, '/exp_1', body, { 'if-match': '"1"' }))).toEqual([
        412,
        'revision_mismatch',
      ]);
    }
    expect((await lab.call('DELETE', '/exp_1', undefined, { 'if-match': '"2"' })).status).toBe(200);
  });

  it('faults of a change are listed with their paths, and nothing changes', async (lab) => {
    const { left, right } = await lab.feeds();
    await lab.start(left, right);
    const faults = async (body: object) =>
      (await lab.call('PATCH', '/exp_1', body)).body.errors.map(({ path }: { path: string }) => path);
    expect(await faults({ name: 3, status: 'paused' })).toEqual(['/name', '/status']);
    expect(await faults({ name: 'a\tb' })).toEqual(['/name']);
    expect(await faults({ feed_id: right })).toEqual(['/feed_id']);
    expect(await faults({ variants: [{ name: 'third', percent: 1 }] })).toEqual(['/variants/0/name']);
    expect(await faults({ variants: [{ name: 'other', percent: 51 }] })).toEqual(['/variants']);
    const twice = { name: 'other', percent: 1 };
    expect(await faults({ variants: [twice, twice] })).toEqual(['/variants/1/name']);
    expect((await lab.data('exp_1')).revision).toBe(1);
    const whole = await lab.data('exp_1');
    const { status, body } = await lab.call('PATCH', '/exp_1', { ...whole, name: 'Sent back' });
    expect([status, body.warnings, body.data.name, body.data.period]).toEqual([
      200,
      undefined,
      'Sent back',
      1,
    ]);
  });

  it('a PATCH that changes nothing is answered as usual, and stores no version', async (lab) => {
    const { left, right } = await lab.feeds();
    await lab.start(left, right);
    const former = await lab.data('exp_1');
    const { name, status, variants } = former;
    const { seq } = lab.server.service.state;
    lab.server.clock.advance(60);
    const unchanged = [{}, { name }, { status }, { variants }, { other: 1 }, former];
    for (const body of unchanged) {
      const answer = await lab.call('PATCH', '/exp_1', body, { 'if-match': '"1"' });
      expect([answer.status, answer.headers.get('etag')]).toEqual([200, '"1"']);
      const { revision, updated_at } = former;
      expect(answer.body.data).toMatchObject({
        experiment_id: 'exp_1',
        name,
        variants,
        revision,
        updated_at,
      });
      expect(answer.body.warnings).toEqual(
        'other' in body ? ["unknown field 'other' was ignored"] : undefined,
      );
    }
    expect(lab.server.service.state.seq).toBe(seq);
    expect(statusOf(await lab.call('PATCH', '/exp_1', {}, { 'if-match': '"2"' }))).toEqual([
      412,
      'revision_mismatch',
    ]);
    await lab.change('exp_1', { status: 'stopped' });
    expect(await lab.change('exp_1', { status: 'stopped' })).toMatchObject({ revision: 2, period: 1 });
  });

  it('a stopped experiment frees its feed, and cannot start while another one runs there', async (lab) => {
    const { left, right } = await lab.feeds();
    await lab.start(left, right);
    expect(await lab.change('exp_1', { status: 'stopped' })).toMatchObject({ status: 'stopped', period: 1 });
    await lab.start(left, right);
    expect(statusOf(await lab.call('PATCH', '/exp_1', { status: 'running' }))).toEqual([
      409,
      'experiment_running',
    ]);
    await lab.change('exp_2', { status: 'stopped' });
    expect(await lab.change('exp_1', { status: 'running' })).toMatchObject({ status: 'running', period: 2 });
  });

  it('an experiment starts again only if its feeds can still be served', async (lab) => {
    const { left, right } = await lab.feeds();
    await lab.start(left, right);
    await lab.change('exp_1', { status: 'stopped' });
    await lab.account.set(right, { status: 'inactive' });
    const { status, body } = await lab.call('PATCH', '/exp_1', { status: 'running' });
    expect([status, body.code]).toEqual([400, 'invalid_value']);
    expect(body.errors).toEqual([
      { path: '/variants/1/feed_id', message: `the feed '${right}' is inactive` },
    ]);
    await lab.account.set(right, { status: 'active' });
    await lab.change('exp_1', { status: 'running' });
  });

  it('a deleted experiment is gone, and its id is not used again', async (lab) => {
    const { left, right } = await lab.feeds();
    await lab.start(left, right);
    const { status, body } = await lab.call('DELETE', '/exp_1');
    expect([status, body.message]).toEqual([200, "experiment 'exp_1' deleted"]);
    expect((await lab.call('GET', '/exp_1')).status).toBe(404);
    expect(await lab.start(left, right)).toBe('exp_2');
  });

  it('the audit log has every change with its revision', async (lab) => {
    const { left, right } = await lab.feeds();
    await lab.start(left, right);
    await lab.change('exp_1', { name: 'Again' });
    await lab.change('exp_1', { status: 'stopped' });
    await lab.call('DELETE', '/exp_1');
    const { body } = await lab.server.get('/api/audit?limit=4');
    const entries = body.data.map(({ action, object, revision }: Record<string, unknown>) => [
      action,
      object,
      revision,
    ]);
    expect(entries).toEqual([
      ['experiment.delete', 'exp_1', undefined],
      ['experiment.stop', 'exp_1', 3],
      ['experiment.change', 'exp_1', 2],
      ['experiment.create', 'exp_1', 1],
    ]);
  });
});
