import { expect, test } from 'bun:test';
import { FetcherScene, ids } from '../alpha/fetcher-scene.ts';
import { AlphaClient, nft, token, wallet } from '../alpha/support.ts';
import { ThirdParty } from '../alpha/third-party.ts';
import { openTestServer } from '../support/service.ts';

/** Anyone can send events for tokens of their own, whose metadata at a third party is what they like. */

const GOOD = 24;
const BAD = 48;
/** What the third party answers for the attacker's tokens, one after another. */
const ODD: readonly (() => Response)[] = [
  () => Response.json({ attributes: [{ trait_type: 'x'.repeat(70_000), value: 1 }] }),
  () => Response.json({ name: 'x'.repeat(300_000) }),
  () => new Response('[', { headers: { 'content-type': 'application/json' } }),
  () => new Response('no such chain', { status: 422 }),
  () => new Response('no such contract', { status: 400 }),
  () => Response.redirect('https://example.com/', 302),
];

/** Describes good tokens beside tokens of the attacker. @returns the number of described ones */
async function describedBeside(bad: number): Promise<number> {
  const party = new ThirdParty((item_id) => {
    const [, , token_id] = item_id.split('.');
    return token_id === undefined ? Response.json({ name: 'good' }) : ODD[Number(token_id) % ODD.length]();
  });
  const server = await openTestServer({
    settings: { metadata_provider: 'http', metadata_url: party.start() },
  });
  try {
    const alpha = new AlphaClient(server);
    const mint = (n: number, item_id: string) =>
      alpha.events({ wallet_address: wallet(n), item_id, event_type: 'mint' });
    await Promise.all(Array.from({ length: bad }, (_, n) => mint(1, nft(1, n))));
    // All of them have failed when the good ones appear.
    const { fetcher } = server.service.alpha;
    for (let page = 0; page < 40 && fetcher!.figures.calls < bad / 8; page++)
      await alpha.popular('?top_k=100');
    await Promise.all(Array.from({ length: 2 * GOOD }, (_, n) => mint(2 + (n % 2), token(n >> 1))));
    let names: string[] = [];
    for (let page = 0; page < 10 && names.length < GOOD; page++) {
      const { body } = await alpha.popular('?top_k=100');
      names = body.items.map(({ metadata }: { metadata: { name: string | null } }) => metadata.name);
      names = names.filter((name) => name === 'good');
    }
    return names.length;
  } finally {
    await server.close();
    await party.stop();
  }
}

test('tokens that cannot be described do not cost other tokens their metadata', async () => {
  expect(await describedBeside(0)).toBe(GOOD);
  expect(await describedBeside(BAD)).toBe(GOOD);
});

test('an NFT with a whole image in its metadata is described without the image', async () => {
  const image = `data:image/svg+xml;base64,${'A'.repeat(100_000)}`;
  const party = new ThirdParty(() =>
    Response.json({ name: 'on the chain', image, description: 'x'.repeat(100_000) }),
  );
  const server = await openTestServer({
    settings: { metadata_provider: 'http', metadata_url: party.start() },
  });
  try {
    const alpha = new AlphaClient(server);
    await alpha.events({ wallet_address: wallet(1), item_id: nft(1, 1), event_type: 'mint' });
    let metadata: Record<string, unknown> = {};
    for (let page = 0; page < 20 && !metadata.name; page++)
      ({ metadata } = (await alpha.popular()).body.items[0]);
    expect(metadata).toMatchObject({ name: 'on the chain', image_url: null });
    expect(metadata.description).toHaveLength(10_000);
  } finally {
    await server.close();
    await party.stop();
  }
});

/** Answers calls until there are no more: a call with a bad item has no answer. */
async function answerAll(scene: FetcherScene, isBad: (item_id: string) => boolean): Promise<void> {
  for (let call = 0; call < scene.calls.length; ) {
    const { item_ids, reject } = scene.calls[call];
    if (item_ids.some(isBad)) reject(new Error('it answered 502'));
    else scene.answer(call);
    call++;
    if (call === scene.calls.length) await scene.settle();
  }
}

async function describe(
  scene: FetcherScene,
  item_ids: readonly string[],
  isBad: (item_id: string) => boolean,
): Promise<(string | undefined)[]> {
  const described = scene.fetcher.describe(item_ids);
  await scene.settle();
  await answerAll(scene, isBad);
  const known = await described;
  return item_ids.map((item_id) => known(item_id)?.name);
}

test('calls that fail for tokens of one sender do not open the circuit for others', async () => {
  const bad = ids(200, 1_000);
  const isBad = (item_id: string) => bad.includes(item_id);
  const good = ids(10);
  const attack = new FetcherScene();
  await describe(attack, good.slice(0, 1), isBad);
  await describe(attack, bad, isBad);
  expect(attack.fetcher.is_circuit_open).toBe(false);
  expect(attack.fetcher.figures.failed_calls).toBe(bad.length / 8);
  const named = good.map((item_id) => `name of ${item_id}`);
  expect(await describe(attack, good, isBad)).toEqual(named);
  // Good tokens that were in a call with bad ones are requested alone later, before those.
  const mixed = [...ids(8, 2_000), ...bad.slice(0, 1)].toReversed();
  attack.now_ms += 60_000;
  await describe(attack, mixed, isBad);
  attack.now_ms += 60_000;
  const later = await describe(attack, mixed, isBad);
  expect(later.filter((name) => name !== undefined)).toHaveLength(8);

  // The control: a provider that is away is not called any more, and its first answer ends that.
  const outage = new FetcherScene();
  await describe(outage, good.slice(0, 1), () => false);
  await describe(outage, ids(800, 1_000), () => true);
  expect(outage.fetcher.is_circuit_open).toBe(true);
  expect(outage.calls.length).toBeLessThan(30);
  outage.now_ms += 10_000;
  await describe(outage, ids(1, 5_000), () => false);
  expect(outage.fetcher.is_circuit_open).toBe(false);
});

test('an item that cannot be described is requested ever more rarely', async () => {
  const scene = new FetcherScene();
  const requests: number[] = [];
  for (let minute = 0; minute < 600; minute++) {
    scene.now_ms = minute * 60_000;
    const described = scene.fetcher.describe(ids(1));
    await scene.settle();
    if (scene.calls.length > requests.length) {
      requests.push(minute);
      scene.calls.at(-1)?.resolve([new Error('it answered 422')]);
      await scene.settle();
    }
    await described;
  }
  expect(requests.slice(0, 8)).toEqual([0, 2, 6, 14, 30, 62, 122, 182]);
});

test('cached metadata is bounded in bytes', async () => {
  const scene = new FetcherScene({ remembered_bytes_max: 1_000_000 });
  const fill = async (from: number, name: string) => {
    for (let at = from; at < from + 40; at++) {
      const described = scene.fetcher.describe([`item ${at}`]);
      await scene.settle();
      scene.calls.at(-1)?.resolve([{ name }]);
      await described;
    }
  };
  await fill(0, 'short');
  expect(scene.fetcher.remembered_items).toBe(40);
  await fill(40, 'x'.repeat(60_000));
  expect(scene.fetcher.remembered_items).toBeLessThan(17);
});
